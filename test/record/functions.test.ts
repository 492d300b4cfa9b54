import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import type { Brain } from '../../functions/cli/stand-in/brain.ts';
import { readExport } from '../../functions/cli/verification/export-file.ts';
import { recordPages } from '../../functions/run-record/record-pages.ts';
import { RecordAnswerSchema } from '../../shared/contracts/record-page.ts';
import { utf8Bytes } from '../../shared/kernel/utf8.ts';
import { dynamoDbFor } from '../support/dynamodb.ts';
import { deliveryOf, LambdaBench } from '../support/lambda-bench.ts';
import type { Came, LambdaProcess } from '../support/runtime-api.ts';
import { shortConversation } from '../support/short-conversation.ts';

/** From a cancel request to the end of the run; milliseconds. */
const CANCEL_WITHIN_MS = 5_000;

const dynamoDb = await dynamoDbFor('the three functions over one record');
/** What each round of a run waits for before the model answers. */
const held = new Map<string, Promise<void>>();
/** Told when a round of a run has begun. */
const begun = new Map<string, () => void>();
const brain: Brain = {
  async answer(request, context) {
    const text = JSON.stringify(request.messages?.[0]);
    for (const [runId, hold] of held) {
      if (!text.includes(`[${runId}]`)) continue;
      begun.get(runId)?.();
      await hold;
    }
    return shortConversation.answer(request, context);
  },
};
const bench = dynamoDb.endpoint === null ? null : await LambdaBench.start(dynamoDb, { brain });
const functions = await startAll();

afterAll(async () => {
  await Promise.all(Object.values(functions ?? {}).map((lambda) => lambda.end()));
  await bench?.[Symbol.asyncDispose]();
});

async function startAll() {
  if (bench === null) return null;
  const [diagnosis, cancellation, runRecord] = await Promise.all([
    bench.start('diagnosis'),
    bench.start('cancellation'),
    bench.start('run-record'),
  ]);
  return { diagnosis, cancellation, runRecord };
}

describe.skipIf(bench === null)(dynamoDb.suite, () => {
  it('stop a run in the round at hand, within five seconds', { timeout: 60_000 }, async () => {
    const { running } = await aRunInItsFirstRound('in-flight', new Promise(() => {}));

    const first = await ask('cancellation', { run_id: 'in-flight' });
    const again = await ask('cancellation', { run_id: 'in-flight' });
    const outcome = JSON.parse(bodyOf(await running));
    const late = await ask('cancellation', { run_id: 'in-flight' });

    const requested = { schema_version: 1, run_id: 'in-flight', answer: 'REQUESTED' };
    expect([first, again]).toEqual([requested, requested]);
    expect(outcome).toMatchObject({ status: 'STOPPED', stop_reason: 'CANCELLED', draft: null });
    expect(late).toEqual({ ...requested, answer: 'FINISHED' });
    const record = await bench?.record('in-flight');
    const askedAt = Date.parse(record?.run.cancel_requested_at ?? '');
    expect(Date.parse(outcome.finished_at) - askedAt).toBeLessThanOrEqual(CANCEL_WITHIN_MS);
  });

  it('stop a run at the gate before its next round', { timeout: 60_000 }, async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const { running } = await aRunInItsFirstRound('at-the-gate', promise);

    await ask('cancellation', { run_id: 'at-the-gate' });
    release();
    const outcome = JSON.parse(bodyOf(await running));

    expect(outcome).toMatchObject({ status: 'STOPPED', stop_reason: 'CANCELLED', draft: null });
    expect(outcome.usage.model_calls).toBe(1);
    expect(bench?.modelRequestsOf('at-the-gate')).toBe(1);
  });

  it('give out a record that verifies as it comes', { timeout: 60_000 }, async () => {
    await lambda('diagnosis').invoke(deliveryOf('to-read'));

    const came = await lambda('runRecord').invoke(eventOf({ run_id: 'to-read' }));

    const record = await bench?.record('to-read');
    expect(record).not.toBeNull();
    expect(bodyOf(came)).toBe(JSON.stringify(record && recordPages(record)[0]));
    expect(readExport(utf8Bytes(bodyOf(came))).doubts).toEqual([]);
    expect(RecordAnswerSchema.safeParse(JSON.parse(bodyOf(came))).success).toBe(true);
  });

  it('list the runs of a session', { timeout: 60_000 }, async () => {
    const runIds = ['listed-1', 'listed-2'];
    for (const runId of runIds) {
      const { event, ...delivery } = deliveryOf(runId);
      await lambda('diagnosis').invoke({
        ...delivery,
        event: { ...event, session_id: 'session-1' },
      });
    }

    const first = await ask('runRecord', { session_id: 'session-1', limit: 1 });
    const second = await ask('runRecord', {
      session_id: 'session-1',
      limit: 1,
      cursor: first['next'],
    });

    expect(first).toMatchObject({ kind: 'RUN_LIST', runs: [{ run_id: 'listed-2' }] });
    expect(second).toMatchObject({ runs: [{ run_id: 'listed-1' }], next: null });
  });

  it('say that they know no such run', async () => {
    const cancelled = await ask('cancellation', { run_id: 'nobody' });
    const read = await ask('runRecord', { run_id: 'nobody' });

    expect(cancelled).toEqual({ schema_version: 1, run_id: 'nobody', answer: 'UNKNOWN' });
    expect(read).toEqual({ schema_version: 1, run_id: 'nobody', kind: 'UNKNOWN_RUN' });
  });

  it.each(['cancellation', 'runRecord'] as const)(
    'refuse a bad event by name: %s',
    async (name) => {
      const came = await lambda(name).invoke(eventOf({ run_id: 'a', raw: true }));

      expect(came).toMatchObject({ kind: 'error', errorType: 'InvalidRequestError' });
    },
  );

  it('refuse by name what a newer version wrote', { timeout: 60_000 }, async () => {
    await lambda('diagnosis').invoke(deliveryOf('newer'));
    await bench?.client.send(
      new UpdateCommand({
        TableName: bench.tables.recordTable,
        Key: { pk: 'RUN#newer', sk: 'RUN' },
        UpdateExpression: 'SET schema_version = :newer',
        ExpressionAttributeValues: { ':newer': 2 },
      }),
    );

    const came = [
      await lambda('runRecord').invoke(eventOf({ run_id: 'newer' })),
      await lambda('diagnosis').invoke(deliveryOf('newer')),
    ];

    const refused = { kind: 'error', errorType: 'RecordUnavailableError' };
    expect(came).toMatchObject([refused, refused]);
  });
});

function lambda(name: 'diagnosis' | 'cancellation' | 'runRecord'): LambdaProcess {
  if (functions === null) throw new Error('DynamoDB Local does not run here');
  return functions[name];
}

function eventOf(event: unknown) {
  return { event, requestId: 'request', remainingMs: 30_000 };
}

async function ask(name: 'cancellation' | 'runRecord', event: unknown) {
  const came = await lambda(name).invoke(eventOf(event));
  return JSON.parse(bodyOf(came)) as Record<string, unknown>; // an object in every answer
}

/** Starts a run whose model does not answer before `hold` is over, and waits until it was asked. */
async function aRunInItsFirstRound(runId: string, hold: Promise<void>) {
  const { promise: isAsked, resolve } = Promise.withResolvers<void>();
  held.set(runId, hold);
  begun.set(runId, resolve);
  const running = lambda('diagnosis').invoke(deliveryOf(runId));
  await isAsked;
  return { running };
}

function bodyOf(came: Came): string {
  return came.kind === 'response' ? came.body : JSON.stringify(came);
}
