import { expect, it } from 'vitest';
import type { ToolAdapter } from '../../../../functions/diagnosis/evidence/tool-adapter.ts';
import { createQueryLogsTool } from '../../../../functions/diagnosis/tools/query-logs/query-logs-tool.ts';
import type { QueryLogsInput } from '../../../../shared/contracts/tool-inputs.ts';

const unreachable: ToolAdapter<QueryLogsInput> = {
  call: () => Promise.resolve({ kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed: null }),
};
const tool = createQueryLogsTool({
  topics: [{ name: 'pay', description: '支付服务', max_lookback_minutes: 120 }],
  adapter: unreachable,
});

function prepare(input: unknown) {
  const prepared = tool.prepare(input);
  if (prepared.kind === 'invalid') throw new Error(prepared.fields.join());
  return prepared.input;
}

it.each([
  [{ topic: 'pay', query: '', lookback_minutes: 120 }],
  [{ topic: 'unknown', query: 'a OR b', lookback_minutes: 10_080 }],
])('takes %j', (input) => {
  expect(prepare(input).asked).toEqual(input);
});

it.each([
  [{ topic: 'pay', query: '', lookback_minutes: 121 }, ['input.lookback_minutes']],
  [{ topic: 'pay', query: 'a AND', lookback_minutes: 5 }, ['input.query:5']],
  [
    { topic: 'pay', query: 'a\nb', lookback_minutes: 500 },
    ['input.query:1', 'input.lookback_minutes'],
  ],
  [{ topic: '../pay', query: '', lookback_minutes: 5 }, ['input.topic']],
  [{ topic: 'pay', query: 'x'.repeat(513), lookback_minutes: 5 }, ['input.query']],
  [{ topic: 'pay', query: '', lookback_minutes: 0.5 }, ['input.lookback_minutes']],
  [{ topic: 'pay', query: '', lookback_minutes: 5, limit: 3 }, ['input']],
  ['pay', ['input']],
])('refuses %j for %j', (input, fields) => {
  expect(tool.prepare(input)).toEqual({ kind: 'invalid', fields });
});

it('calls filters equivalent that differ in case, order and blanks', () => {
  const one = prepare({ topic: 'pay', query: 'Timeout  gateway', lookback_minutes: 60 });
  const other = prepare({ topic: 'pay', query: 'GATEWAY AND timeout', lookback_minutes: 55 });

  expect(other.equivalence.key).toBe(one.equivalence.key);
  expect(other.equivalence.lookbackMinutes).toBe(55);
});

it('names the topics and their limits to the model', () => {
  expect(tool.description).toContain('pay');
  expect(tool.description).toContain('120');
});
