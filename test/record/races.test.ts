import { afterAll, describe, expect, it } from 'vitest';
import { verifyRecord } from '../../functions/cli/verification/verify-record.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { hasCode } from '../../shared/kernel/errors.ts';
import { atHand } from '../support/at-hand.ts';
import { dynamoDbFor } from '../support/dynamodb.ts';
import { toolsOver } from '../support/scripted-sources.ts';
import { StoredBench } from '../support/stored-bench.ts';
import { tokenConversation, tokenSource } from '../support/token-conversation.ts';

const DELIVERIES = 50;
const RUNS = 200;

const dynamoDb = await dynamoDbFor('runs on DynamoDB that race');
/** Calls that reached a source, by run and tool. */
const sourceCalls: string[] = [];
const bench =
  dynamoDb.endpoint === null
    ? null
    : await StoredBench.start(dynamoDb, {
        brain: tokenConversation,
        isProxied: false,
        parts: {
          toolset: {
            evidence: toolsOver((call) => {
              sourceCalls.push(`${call.context.bindings['tenant_id']} ${call.toolName}`);
              return tokenSource(call);
            }),
            hasPlaybooks: true,
          },
        },
      });
const things = await atHand();
afterAll(() => bench?.[Symbol.asyncDispose]());

function there(): StoredBench {
  if (bench === null) throw new Error('DynamoDB Local does not run here');
  return bench;
}

describe.skipIf(bench === null)(dynamoDb.suite, () => {
  it('executes one of fifty deliveries of one run id', { timeout: 120_000 }, async () => {
    const deliveries = Array.from({ length: DELIVERIES }, () => there().deliver('contended'));

    const came = await Promise.allSettled(deliveries);

    const outcomes = came.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = came.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const stored = await there().outcome('contended');
    expect(outcomes.length).toBeGreaterThan(0);
    expect(outcomes.map((outcome) => JSON.stringify(outcome))).toEqual(outcomes.map(() => stored));
    expect(refusals.filter((error) => !hasCode(error, 'RUN_IN_PROGRESS'))).toEqual([]);
    expect(callsOf('contended')).toEqual(['query_logs', 'query_mysql', 'query_logs']);
    expect(there().model.requests).toHaveLength(3);
    expect(await doubtsIn('contended')).toEqual([]);
  });

  it('settles two hundred runs at once, none of them mixed with another', {
    timeout: 180_000,
  }, async () => {
    const runIds = Array.from({ length: RUNS }, (_, index) => `race-${index}x`);

    const outcomes = await Promise.all(runIds.map((runId) => there().deliver(runId)));

    expect(outcomes.filter(({ status }) => status !== 'COMPLETED')).toEqual([]);
    const records = await Promise.all(runIds.map((runId) => there().record(runId)));
    const mixed = records.filter(
      (record, index) => foreignIn(record, runIds[index] ?? '').length > 0,
    );
    expect(mixed).toEqual([]);
    expect(outcomes.map(saysOf)).toEqual(runIds.map((runId) => `${runId} 在等待行锁`));
    const doubts = await Promise.all(runIds.map(doubtsIn));
    expect(doubts.flat()).toEqual([]);
    expect(runIds.filter((runId) => callsOf(runId).length !== 3)).toEqual([]);
  });
});

function callsOf(runId: string): readonly string[] {
  return sourceCalls
    .filter((call) => call.startsWith(`${runId} `))
    .map((call) => call.slice(runId.length + 1));
}

function saysOf({ draft }: DiagnosisOutcome): string | null {
  return draft?.conclusion ?? null;
}

/** Ids of other runs that a record spells. */
function foreignIn(record: unknown, runId: string): readonly string[] {
  const spelled = JSON.stringify(record).match(/race-[0-9]{1,3}x/g) ?? [];
  return spelled.filter((id) => id !== runId);
}

async function doubtsIn(runId: string): Promise<readonly unknown[]> {
  const record = await there().record(runId);
  if (record === null) return ['there is no record'];
  return verifyRecord(record, things).filter(({ kind }) => kind === 'doubtful');
}
