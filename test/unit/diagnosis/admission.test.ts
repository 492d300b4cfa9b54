import { describe, expect, it } from 'vitest';
import { admitRequest } from '../../../functions/diagnosis/admission.ts';
import { LimitsSchema } from '../../../shared/contracts/budget.ts';

const NOW = Date.parse('2026-11-30T08:00:00Z');
const LIMITS = LimitsSchema.parse({});

describe('admitRequest', () => {
  it('fills in only what a request may leave out', () => {
    const admitted = admit({ query: '支付超时' });

    expect(admitted).toMatchObject({
      runId: 'request-1',
      sessionId: 'request-1',
      query: '支付超时',
      previousTurn: null,
      asOf: NOW,
      bindings: {},
      limits: LIMITS,
      userMessage: '{"query":"支付超时","previous_turn":null}',
    });
  });

  it('keeps the text of the query as it came', () => {
    const query = '  两端有空白\r\n的 query\u0000 ';

    expect(admit({ query }).query).toBe(query);
  });

  it.each([
    ['16,384 bytes', `${'查'.repeat(5_461)}a`],
    ['one byte', 'a'],
  ])('takes a query of %s', (_case, query) => {
    expect(admit({ query }).query).toBe(query);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'query'],
    ['a list', [{ query: 'q' }]],
    ['a missing query', {}],
    ['a blank query', { query: ' \u3000\n' }],
    ['a query of 16,385 bytes', { query: `${'查'.repeat(5_461)}ab` }],
    ['a query with a lone surrogate', { query: 'a\ud800' }],
    ['an unknown key', { query: 'q', history: [] }],
    ['a run id with a slash', { query: 'q', run_id: 'a/b' }],
    ['an empty run id', { query: 'q', run_id: '' }],
    ['a run id of 129', { query: 'q', run_id: 'a'.repeat(129) }],
    ['a session id that is a number', { query: 'q', session_id: 1 }],
    ['an instant without a zone', { query: 'q', as_of: '2026-11-30T08:00:00' }],
    ['an instant in the future', { query: 'q', as_of: '2026-11-30T08:00:00.001Z' }],
    ['a binding that is an object', { query: 'q', bindings: { tenant: { $ne: '' } } }],
    [
      'nine bindings',
      { query: 'q', bindings: Object.fromEntries([...'abcdefghi'].map((k) => [k, 'v'])) },
    ],
    ['a budget that is a list', { query: 'q', budget: [] }],
    ['an unknown limit', { query: 'q', budget: { rounds: 1 } }],
    ['a previous turn with history', { query: 'q', previous_turn: { ...aTurn(), messages: [] } }],
    [
      'a previous turn without its run',
      { query: 'q', previous_turn: { ...aTurn(), run_id: undefined } },
    ],
    [
      'a previous turn with 13 gaps',
      { query: 'q', previous_turn: aTurn({ missing_info: Array(13).fill('x') }) },
    ],
  ])('refuses %s', (_case, event) => {
    expect(() =>
      admitRequest(event, { requestId: 'request-1', now: NOW, limits: LIMITS }),
    ).toThrowError(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });

  it.each(['model_calls', 'tool_calls', 'tokens', 'bytes', 'time_ms'])(
    'refuses a limit on %s that is no positive integer within bounds',
    (resource) => {
      for (const value of [true, Number.NaN, 0, -1, 1.5, '10', null, Number.MAX_SAFE_INTEGER]) {
        expect(() => admit({ query: 'q', budget: { [resource]: value } })).toThrowError(
          expect.objectContaining({ code: 'INVALID_REQUEST' }),
        );
      }
    },
  );

  it('lets a caller lower a limit down to its floor', () => {
    const floors = {
      model_calls: 1,
      tool_calls: 1,
      tokens: 32_768,
      bytes: 81_920,
      time_ms: 20_000,
    };

    expect(admit({ query: 'q', budget: floors }).limits).toEqual(floors);
  });

  it('refuses a limit above the deployment', () => {
    const deployed = { ...LIMITS, model_calls: 5 };

    expect(() =>
      admitRequest(
        { query: 'q', budget: { model_calls: 6 } },
        { requestId: 'request-1', now: NOW, limits: deployed },
      ),
    ).toThrowError(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });

  it('refuses a previous turn of more than 26,624 bytes as JSON, and cuts nothing', () => {
    const turn = aTurn({ query: '"'.repeat(16_000) });

    expect(() => admit({ query: 'q', previous_turn: turn })).toThrowError(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    );
  });

  it('refuses a user message of more than 45,056 bytes', () => {
    const event = {
      query: '\u0001'.repeat(4_000),
      previous_turn: aTurn({ query: 'x'.repeat(16_384) }),
    };
    const larger = { ...event, query: '\u0001'.repeat(8_000) };

    expect(admit(event).userMessage.length).toBeLessThanOrEqual(45_056);
    expect(() => admit(larger)).toThrowError(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });

  it('hashes the request without its run id, whatever the order of its keys', () => {
    const first = admit({ query: 'q', session_id: 's', run_id: 'run-1' });
    const second = admit({ run_id: 'run-2', session_id: 's', query: 'q', previous_turn: null });

    expect(second.sha256).toBe(first.sha256);
    expect(admit({ query: 'q', session_id: 't' }).sha256).not.toBe(first.sha256);
  });

  it('names the path at fault and none of the content', () => {
    const event = {
      query: 'q',
      previous_turn: aTurn({ conclusion: `hunter2${'x'.repeat(2_000)}` }),
    };

    expect(() => admit(event)).toThrowError(
      /^invalid request: previous_turn\.conclusion: must have at most 2000 UTF-8 bytes$/,
    );
  });
});

function admit(event: unknown) {
  return admitRequest(event, { requestId: 'request-1', now: NOW, limits: LIMITS });
}

function aTurn(overrides: object = {}) {
  return {
    run_id: 'run-0',
    as_of: '2026-11-30T07:00:00+08:00',
    query: '之前的问题',
    conclusion: null,
    missing_info: ['缺少发布记录'],
    ...overrides,
  };
}
