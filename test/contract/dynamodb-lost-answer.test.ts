import { describe, expect, it } from 'vitest';
import type { RunKey, RunStore } from '../../shared/store/run-store.ts';
import { dynamoDbFor } from '../support/dynamodb.ts';
import {
  injectFault,
  losingAnswers,
  losingRequest,
  type WriteCommand,
} from '../support/dynamodb-faults.ts';
import { useFaultyStore } from './faulty-store.ts';
import { MOVE, runWith, type Status, type Transition } from './invocation-moves.ts';
import {
  AFTER_LEASE,
  aRun,
  aSettlement,
  aStep,
  CREATED,
  DURING,
  keyOf,
  SIGNAL,
} from './run-builders.ts';

const dynamoDb = await dynamoDbFor('the run store on DynamoDB when messages are lost');

describe.skipIf(dynamoDb.endpoint === null)(dynamoDb.suite, () => {
  const under = useFaultyStore(dynamoDb);

  describe('a write that succeeded but lost its answer', () => {
    it.each<{ from: Status; transition: Transition; command: WriteCommand }>([
      { from: 'ABSENT', transition: 'openInvocation', command: 'TransactWriteItemsCommand' },
      { from: 'OPEN', transition: 'startProjection', command: 'PutItemCommand' },
      { from: 'OPEN', transition: 'startProjection', command: 'UpdateItemCommand' },
      { from: 'PROJECTING', transition: 'settleReady', command: 'UpdateItemCommand' },
      { from: 'OPEN', transition: 'settleError', command: 'UpdateItemCommand' },
    ])('is written: $transition, $command', async ({ from, transition, command }) => {
      const key = await runWith(under.calm, from);
      injectFault(under.client, command, losingAnswers());

      const moved = await MOVE[transition](under.store, key);

      expect(moved).toEqual({ kind: 'written' });
      expect(await under.calm.readInvocations(key.runId, SIGNAL)).toHaveLength(1);
    });

    it('creates the run once', async () => {
      const run = aRun();
      injectFault(under.client, 'TransactWriteItemsCommand', losingAnswers());

      const created = await under.store.createRun(run, SIGNAL);

      expect(created).toEqual({ kind: 'created' });
      expect(await under.calm.readRun(run.record.run_id, DURING, SIGNAL)).toEqual(run.record);
    });

    it.each<{ name: string; command: WriteCommand; kind: string; write: Write }>([
      {
        name: 'entering a round',
        command: 'UpdateItemCommand',
        kind: 'open',
        write: (used, key) => used.enterRound(key, 1, SIGNAL),
      },
      {
        name: 'asking to stop',
        command: 'UpdateItemCommand',
        kind: 'requested',
        write: (used, key) => used.requestCancel(key.runId, DURING, SIGNAL),
      },
      {
        name: 'keeping the legend',
        command: 'PutItemCommand',
        kind: 'written',
        write: (used, key) => used.keepLegend(key, '{}', SIGNAL),
      },
      {
        name: 'settling',
        command: 'TransactWriteItemsCommand',
        kind: 'written',
        write: (used, key) => used.settleRun(key, aSettlement(), SIGNAL),
      },
      {
        name: 'settling the abandoned',
        command: 'TransactWriteItemsCommand',
        kind: 'written',
        write: (used, key) => used.settleAbandoned(key, aSettlement(), AFTER_LEASE, SIGNAL),
      },
    ])('$name answers $kind', async ({ command, kind, write }) => {
      const key = await runWith(under.calm, 'ABSENT');
      injectFault(under.client, command, losingAnswers());

      const result = await write(under.store, key);

      expect(result).toEqual({ kind });
    });

    it('appends the step once', async () => {
      const run = aRun();
      await under.calm.createRun(run, SIGNAL);
      injectFault(under.client, 'PutItemCommand', losingAnswers());

      const appended = await under.store.appendStep(keyOf(run), aStep(run, 1), SIGNAL);

      expect(appended).toEqual({ kind: 'written' });
      expect(await under.calm.readSteps(run.record.run_id, SIGNAL)).toEqual([aStep(run, 1)]);
    });

    it('is not claimed to be known when every answer is lost', async () => {
      const key = await runWith(under.calm, 'ABSENT');
      injectFault(under.client, 'TransactWriteItemsCommand', losingAnswers(99));

      const settled = under.store.settleRun(key, aSettlement(), SIGNAL);

      await expect(settled).rejects.toMatchObject({ code: 'STORE_FAILED' });
      expect(await under.calm.readOutcome(key.runId, SIGNAL)).toBe('{"status":"COMPLETED"}');
    });
  });

  describe('a write that never arrived, while a rival’s did', () => {
    it('is lost: a step', async () => {
      const run = aRun();
      const theirs = { ...aStep(run, 1), at: CREATED };
      await under.calm.createRun(run, SIGNAL);
      const rival = () => under.calm.appendStep(keyOf(run), theirs, SIGNAL);
      injectFault(under.client, 'PutItemCommand', losingRequest(rival));

      const appended = await under.store.appendStep(keyOf(run), aStep(run, 1), SIGNAL);

      expect(appended).toEqual({ kind: 'lost' });
      expect(await under.calm.readSteps(run.record.run_id, SIGNAL)).toEqual([theirs]);
    });

    it('is lost: an invocation that was settled as an error meanwhile', async () => {
      const key = await runWith(under.calm, 'PROJECTING');
      injectFault(
        under.client,
        'UpdateItemCommand',
        losingRequest(() => MOVE.settleError(under.calm, key)),
      );

      const settled = await MOVE.settleReady(under.store, key);

      const [invocation] = await under.calm.readInvocations(key.runId, SIGNAL);
      expect(settled).toEqual({ kind: 'lost' });
      expect(invocation).toMatchObject({ status: 'ERROR', error_code: 'TOOL_TIMEOUT' });
    });

    it('is lost: a settling after the run was settled as abandoned', async () => {
      const key = await runWith(under.calm, 'ABSENT');
      const abandoned = aSettlement({ status: 'FAILED', outcome: '"abandoned"' });
      const rival = () => under.calm.settleAbandoned(key, abandoned, AFTER_LEASE, SIGNAL);
      injectFault(under.client, 'TransactWriteItemsCommand', losingRequest(rival));

      const settled = await under.store.settleRun(key, aSettlement(), SIGNAL);

      expect(settled).toEqual({ kind: 'lost' });
      expect(await under.calm.readOutcome(key.runId, SIGNAL)).toBe('"abandoned"');
    });

    it('tells of the rival’s run', async () => {
      const [ours, theirs] = [aRun(), aRun()];
      const rival = { ...theirs, record: { ...theirs.record, run_id: ours.record.run_id } };
      const write = () => under.calm.createRun(rival, SIGNAL);
      injectFault(under.client, 'TransactWriteItemsCommand', losingRequest(write));

      const created = await under.store.createRun(ours, SIGNAL);

      expect(created).toEqual({ kind: 'exists', record: rival.record, outcome: null });
    });
  });
});

type Write = (store: RunStore, key: RunKey) => Promise<{ readonly kind: string }>;
