import { describe, expect, it } from 'vitest';
import { AS_OF, capsuleTools, logLine } from '../support/capsule-tools.ts';
import { aDraft, conclude } from '../support/drafts.ts';
import { type Played, play, rawCall, round } from '../support/played.ts';

const ASK_LOGS = askLogs('');
const ASK_KNOWLEDGE = rawCall('lookup_knowledge', { input: { query: 'lock wait' } });
const TAIL = 'TAIL-7f3a91';

describe('Raw payload', () => {
  it('remains Harness-only and is never returned to the Agent', async () => {
    const long = `stuck ${'z'.repeat(4_000)} ${TAIL}`;
    const files = {
      'logs/orders.log': `${logLine(0, long)}\n`,
      'knowledge/lock.md': `# Lock wait\n\nLock wait. ${'y'.repeat(3_000)} ${TAIL}\n`,
    };

    const played = await playOver(files, [round(ASK_LOGS, ASK_KNOWLEDGE), conclude()]);

    const sent = JSON.stringify(played.requests.map(({ body }) => body));
    expect(sent).not.toMatch(new RegExp(`${TAIL}|"entries"|"chunks"|zone_assumed|sha256`));
    expect(JSON.stringify([played.outcome, played.steps])).not.toContain(TAIL);
    expect(played.invocations).toMatchObject([
      { status: 'READY', truncated: true, raw: { chunks: 1 } },
      { status: 'READY', truncated: true, raw: { chunks: 1 } },
    ]);
    const rawBytes = played.invocations.map((call) => ('raw' in call ? call.raw?.bytes : 0));
    expect(Math.min(...rawBytes.map(Number))).toBeGreaterThan(3_000);
  });
});

describe('NO_EVIDENCE is scoped', () => {
  it('to the recorded query and time window', async () => {
    const files = { 'logs/orders.log': `${logLine(-3_600, 'timeout an hour before')}\n` };

    const { shownAfter } = await playOver(files, [round(askLogs('timeout', 31)), conclude()]);

    expect(shownAfter(1)).toMatchObject([
      {
        evidence_status: 'NO_EVIDENCE',
        scope: {
          request: { topic: 'orders', query: 'timeout', lookback_minutes: 31 },
          window: { from: '2026-11-03T04:29:00.000Z', to: '2026-11-03T05:00:00.000Z' },
        },
      },
    ]);
  });

  it('and is no health claim: an observation may not rest on it', async () => {
    const draft = aDraft({
      analysis: [{ type: 'OBSERVATION', statement: '订单服务健康', tool_call_ids: ['call-1'] }],
    });
    const files = { 'logs/orders.log': '' };

    const { outcome } = await playOver(files, [round(ASK_LOGS), conclude(draft)]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'EVIDENCE_REJECTED', detail_code: 'NO_EVIDENCE_AS_PROOF' },
    });
  });
});

describe('Log messages may contain credentials, hostnames, pod IDs, SQL literals, or stack traces', () => {
  const secrets = [
    'hunter2-Tr0ub4dor',
    'db-primary-7.prod.internal',
    'payment-service-7d9f8b6c5d-x2x7k',
    '13800138000',
  ];
  const lines = [
    logLine(0, `connect failed password=${secrets[0]} host=${secrets[1]}`),
    logLine(1, `pod ${secrets[2]} not ready`),
    logLine(2, `slow statement: SELECT id FROM users WHERE phone = '${secrets[3]}'`),
    `${logLine(3, 'java.lang.IllegalStateException: pool is closed')}
\tat com.example.internal.SecretPool.borrow(SecretPool.java:97)
\tat com.example.Main.main(Main.java:3)`,
  ];

  it('redacts them before Agent exposure', async () => {
    const files = { 'logs/orders.log': `${lines.join('\n')}\n` };

    const played = await playOver(files, [round(ASK_LOGS), conclude()]);

    const shown = JSON.stringify(played.shownAfter(1));
    const everywhere = JSON.stringify([
      played.requests.map(({ body }) => body),
      played.outcome,
      played.steps,
      played.invocations,
    ]);
    for (const secret of secrets) expect(everywhere).not.toContain(secret);
    expect(everywhere).not.toContain('SecretPool.java:97');
    expect(shown).toContain('pool is closed');
    expect(shown).toContain('payment-service-<pod:1>');
    expect(shown).toContain('SELECT id FROM users WHERE phone =');
  });

  it('gives equal things equal marks, which a later question may use', async () => {
    const files = { 'logs/orders.log': `${lines.join('\n')}\n` };
    const again = rawCall('query_logs', {
      previous_observation: { tool_call_id: 'call-1', evaluation: 'GAINED' },
      input: { topic: 'orders', query: '"payment-service-<pod:1>"', lookback_minutes: 60 },
    });

    const { shownAfter, steps } = await playOver(files, [
      round(ASK_LOGS),
      round(again),
      conclude(),
    ]);

    expect(shownAfter(2)).toMatchObject([
      {
        evidence_status: 'EVIDENCE_FOUND',
        matched_count: 1,
        events: ['2026-11-03T04:30:01.000Z ERROR pod payment-service-<pod:1> not ready'],
        scope: { request: { query: '"payment-service-<pod:1>"' } },
      },
    ]);
    expect(steps.filter(({ kind }) => kind === 'TOOL_CALL')[1]).toMatchObject({
      executed: { statement: expect.stringContaining('payment-service-<pod:1>') },
    });
    expect(JSON.stringify(steps)).not.toContain('x2x7k');
  });
});

describe('A projector must not silently truncate raw data', () => {
  it.each([
    [1, false],
    [31, true],
  ])(
    'of %i matches it says truncated: %s, and the raw result is whole',
    async (count, truncated) => {
      const line = (at: number) => logLine(at, `pool exhausted ${'w'.repeat(40)}`);
      const lines = Array.from({ length: count }, (_none, at) => line(at));
      const files = { 'logs/orders.log': `${lines.join('\n')}\n` };

      const { shownAfter, invocations } = await playOver(files, [round(ASK_LOGS), conclude()]);

      const [invocation] = invocations;
      expect(shownAfter(1)).toMatchObject([{ truncated, matched_count: count }]);
      expect(invocation).toMatchObject({ status: 'READY', truncated });
      const rawBytes = Number(
        invocation !== undefined && 'raw' in invocation && invocation.raw?.bytes,
      );
      expect(rawBytes).toBeGreaterThan(lines.join('\n').length);
    },
  );
});

describe('The existing generic ToolResultProjector API has no request argument', () => {
  it('so the typed request travels beside it and stands in the scope word for word', async () => {
    const files = { 'logs/orders.log': `${logLine(0, 'Read timed out')}\n` };
    const input = {
      topic: 'orders',
      query: '  "Read  timed out" OR  level=FATAL ',
      lookback_minutes: 45,
    };

    const { shownAfter, outcome } = await playOver(files, [
      round(rawCall('query_logs', { input })),
      conclude(),
    ]);

    expect(shownAfter(1)).toMatchObject([{ scope: { request: input } }]);
    expect(outcome.progress?.checks[0]?.scope.request).toEqual(input);
  });
});

function askLogs(query: string, lookback_minutes = 60) {
  return rawCall('query_logs', { input: { topic: 'orders', query, lookback_minutes } });
}

async function playOver(
  files: Readonly<Record<string, string>>,
  answers: Parameters<typeof play>[0],
): Promise<Played> {
  const evidence = await capsuleTools({ files });
  return play(answers, { evidence, request: { as_of: AS_OF } });
}
