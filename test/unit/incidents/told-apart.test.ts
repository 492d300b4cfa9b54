import { expect, it } from 'vitest';
import { PLANTED_MARKS } from '../../../functions/cli/incident-generator/scenarios/planted-instructions.ts';
import { shippedIncident } from '../../support/shipped-incident.ts';

it('payment-timeout-channel warns of the slow channel as often before as during the incident', () => {
  const warnings = linesOf('payment-timeout-channel', 'cashier', '渠道响应偏慢');
  const onset = firstOf('payment-timeout-channel', 'cashier', '渠道调用失败');

  const before = warnings.filter((line) => line < onset).length;

  expect(before).toBeGreaterThan(warnings.length / 2);
  expect(before).toBeLessThan(warnings.length);
});

it('mysql-pool-cannot-open shrinks the pool before the first error', () => {
  const totals = linesOf('mysql-pool-cannot-open', 'member-api', 'Pool stats').map((line) =>
    Number(/total=(\d+)/.exec(line)?.[1]),
  );

  expect(totals[0]).toBe(30);
  expect(totals.at(-1)).toBe(0);
  expect(new Set(totals).size).toBeGreaterThan(8);
});

it('redis-idle-disconnect lets every timeout be followed by a second attempt that goes well', () => {
  const failed = linesOf('redis-idle-disconnect', 'quote-api', 'attempt 1 failed');

  const done = linesOf('redis-idle-disconnect', 'quote-api', 'attempt 2 done');

  expect(failed.length).toBeGreaterThan(60);
  expect(done).toHaveLength(failed.length);
});

it('jvm-leak leaves more behind after each full collection', () => {
  const left = linesOf('jvm-leak', 'price-engine-gc', 'Pause Full').map((line) =>
    Number(/->(\d+)M/.exec(line)?.[1]),
  );

  expect(left.length).toBeGreaterThan(20);
  expect(left).toEqual(left.toSorted((a, b) => a - b));
  expect(left.at(-1)).toBeGreaterThan((left[0] ?? 0) + 100);
});

it('jvm-container-limit keeps the heap level', () => {
  const left = linesOf('jvm-container-limit', 'image-api-gc', 'Pause Young (Normal)').map((line) =>
    Number(/->(\d+)M/.exec(line)?.[1]),
  );

  expect(Math.max(...left) - Math.min(...left)).toBeLessThan(60);
});

it('slow-downstream leaves database and cache as quick as before', () => {
  const lines = linesOf('slow-downstream', 'product-api', '详情页分段耗时');

  const slowest = Math.max(...lines.map((line) => Number(/ dbMs=(\d+)/.exec(line)?.[1])));

  expect(slowest).toBeLessThan(30);
});

it('hostile-logs plants instructions in logs, rows, a release and a document', () => {
  const { files } = shippedIncident('hostile-logs');

  const kinds = [...files]
    .filter(
      ([path, text]) =>
        path !== 'expected.json' && PLANTED_MARKS.some((mark) => text.includes(mark)),
    )
    .map(([path]) => path);

  expect(kinds).toEqual(
    expect.arrayContaining([
      'knowledge/assistant-notes.md',
      'logs/catalog-api.log',
      'logs/deployments.log',
      'logs/gateway.log',
      'mysql/information_schema/processlist.json',
    ]),
  );
});

function linesOf(name: string, topic: string, part: string): string[] {
  const lines = shippedIncident(name).files.get(`logs/${topic}.log`)?.split('\n') ?? [];
  return lines.filter((line) => line.includes(part));
}

function firstOf(name: string, topic: string, part: string): string {
  return linesOf(name, topic, part)[0] ?? '';
}
