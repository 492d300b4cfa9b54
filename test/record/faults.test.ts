import { afterAll, describe, expect, it } from 'vitest';
import { verifyRecord } from '../../functions/cli/verification/verify-record.ts';
import { atHand } from '../support/at-hand.ts';
import { dynamoDbFor } from '../support/dynamodb.ts';
import type { Fate, ProxiedRequest } from '../support/dynamodb-proxy.ts';
import { toolsOver } from '../support/scripted-sources.ts';
import { StoredBench } from '../support/stored-bench.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { tokenConversation, tokenSource } from '../support/token-conversation.ts';

/** Longer than the bench's client waits for an answer; milliseconds. */
const LATE_MS = 900;
const PATIENCE_MS = 600;

const FAULTS: Readonly<Record<string, Fate>> = {
  'the answer is lost after the commit': { kind: 'lose_answer' },
  'the connection is reset': { kind: 'reset' },
  'the service fails': { kind: 'refuse', status: 500, type: 'InternalServerError' },
  'the service throttles': {
    kind: 'refuse',
    status: 400,
    type: 'ProvisionedThroughputExceededException',
  },
  'the answer is slow': { kind: 'answer_late', afterMs: LATE_MS },
  'the request arrives after its own repetition': { kind: 'arrive_late', afterMs: LATE_MS },
};

const dynamoDb = await dynamoDbFor('a run on DynamoDB behind a faulty network');
const bench =
  dynamoDb.endpoint === null
    ? null
    : await StoredBench.start(dynamoDb, {
        brain: tokenConversation,
        client: { requestHandler: { requestTimeout: PATIENCE_MS, throwOnRequestTimeout: true } },
        parts: { toolset: { evidence: toolsOver(tokenSource), hasPlaybooks: true } },
      });
/** What is to happen to the requests of which run; the proxy serves all of them at once. */
const plans = new Map<string, (ordinal: number, attempt: number) => Fate | null>();
if (bench !== null) {
  bench.proxy.decide = ({ runId, attempt }) => {
    const ordinal = bench.proxy.requestsOf(runId ?? '').length;
    return plans.get(runId ?? '')?.(ordinal, attempt) ?? { kind: 'pass' };
  };
}
const things = await atHand();
await bench?.deliver('calm');
const operations: readonly ProxiedRequest[] = bench?.proxy.requestsOf('calm') ?? [];

/** Every fault at every request where there is time for it; else each request meets two of the six. */
const CASES = operations.flatMap(({ operation }, index) =>
  Object.keys(FAULTS)
    .filter((_fault, place) => IS_THOROUGH || (place + index) % 3 === 0)
    .map((fault) => ({ ordinal: index + 1, operation, fault })),
);

afterAll(() => bench?.[Symbol.asyncDispose]());

function there(): StoredBench {
  if (bench === null) throw new Error('DynamoDB Local does not run here');
  return bench;
}

/** The checks that the record of a run does not pass. */
async function doubtsIn(runId: string): Promise<readonly unknown[]> {
  const record = await there().record(runId);
  if (record === null) return ['there is no record'];
  return verifyRecord(record, things).filter(({ kind }) => kind === 'doubtful');
}

describe.skipIf(bench === null)(dynamoDb.suite, () => {
  it.concurrent.each(CASES)(
    'completes when at request $ordinal, $operation, $fault',
    { timeout: 60_000 },
    async ({ ordinal, fault }) => {
      const runId = `fault-${ordinal}-${Object.keys(FAULTS).indexOf(fault)}`;
      plans.set(runId, (request) => (request === ordinal ? (FAULTS[fault] ?? null) : null));

      const outcome = await there().deliver(runId);
      const again = await there().deliver(runId);

      expect([outcome.status, outcome.failure]).toEqual(['COMPLETED', null]);
      expect(JSON.stringify(again)).toBe(JSON.stringify(outcome));
      expect(await there().outcome(runId)).toBe(JSON.stringify(outcome));
      expect(await doubtsIn(runId)).toEqual([]);
    },
  );

  it.concurrent.each(
    operations.slice(1).map(({ operation }, index) => [index + 2, operation] as const),
  )(
    'publishes no draft once DynamoDB is gone from request %i, %s, on',
    { timeout: 60_000 },
    async (ordinal) => {
      const runId = `gone-${ordinal}`;
      plans.set(runId, (request) => (request >= ordinal ? { kind: 'reset' } : null));

      const outcome = await there().deliver(runId);
      plans.delete(runId);

      expect([outcome.status, outcome.failure?.code, outcome.draft]).toEqual([
        'FAILED',
        'STORE_FAILED',
        null,
      ]);
      expect(await there().outcome(runId)).toBeNull();
      await expect(there().deliver(runId)).rejects.toMatchObject({ code: 'RUN_IN_PROGRESS' });
    },
  );

  it.concurrent.each(Object.entries(FAULTS))(
    'completes when at every request, once, %s',
    { timeout: 120_000 },
    async (fault, fate) => {
      const runId = `every-${Object.keys(FAULTS).indexOf(fault)}`;
      plans.set(runId, (_ordinal, attempt) => (attempt === 1 ? fate : null));

      const outcome = await there().deliver(runId);

      expect([outcome.status, outcome.failure]).toEqual(['COMPLETED', null]);
      expect(await doubtsIn(runId)).toEqual([]);
    },
  );

  it('executes nothing when DynamoDB does not answer at all', async () => {
    plans.set('silent', () => ({ kind: 'reset' }));

    const outcome = there().deliver('silent');

    await expect(outcome).rejects.toMatchObject({ name: 'RecordUnavailableError' });
    expect(await there().record('silent')).toBeNull();
  });

  it('publishes no draft when the settling can never be confirmed, and the stored one ever after', async () => {
    const last = operations.length;
    plans.set('unconfirmed', (request) => (request >= last ? { kind: 'lose_answer' } : null));

    const outcome = await there().deliver('unconfirmed');
    plans.delete('unconfirmed');
    const again = await there().deliver('unconfirmed');

    expect([outcome.failure?.code, outcome.draft]).toEqual(['STORE_FAILED', null]);
    expect(again.status).toBe('COMPLETED');
    expect(await doubtsIn('unconfirmed')).toEqual([]);
  });
});
