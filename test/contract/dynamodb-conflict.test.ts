import { describe, expect, it } from 'vitest';
import { dynamoDbFor, localClient } from '../support/dynamodb.ts';
import {
  injectFault,
  itemInTransaction,
  refusing,
  transactionCancelled,
} from '../support/dynamodb-faults.ts';
import { storeOver, useFaultyStore } from './faulty-store.ts';
import { runWith } from './invocation-moves.ts';
import { aRun, aSettlement, DURING, keyOf, SIGNAL } from './run-builders.ts';

const dynamoDb = await dynamoDbFor('the run store on DynamoDB when writes meet');

describe.skipIf(dynamoDb.endpoint === null)(dynamoDb.suite, () => {
  const under = useFaultyStore(dynamoDb);

  describe('a write that meets another on the same item', () => {
    it.each(['TransactionConflict', 'ThrottlingError'])('is sent again: %s', async (code) => {
      const key = await runWith(under.calm, 'ABSENT');
      const fault = refusing(3, () => transactionCancelled(code));
      injectFault(under.client, 'TransactWriteItemsCommand', fault);

      const settled = await under.store.settleRun(key, aSettlement(), SIGNAL);

      expect(settled).toEqual({ kind: 'written' });
    });

    it('is sent again when it is a single one', async () => {
      const key = await runWith(under.calm, 'ABSENT');
      injectFault(under.client, 'UpdateItemCommand', refusing(3, itemInTransaction));

      const entered = await under.store.enterRound(key, 1, SIGNAL);

      expect(entered).toEqual({ kind: 'open' });
    });

    it.each([
      ['the other never ends', 'TransactionConflict'],
      ['the reason is one that stays', 'ValidationError'],
    ])('fails when %s, and leaves nothing', async (_what, code) => {
      const key = await runWith(under.calm, 'ABSENT');
      const fault = refusing(99, () => transactionCancelled(code));
      injectFault(under.client, 'TransactWriteItemsCommand', fault);

      const settled = under.store.settleRun(key, aSettlement(), SIGNAL);

      await expect(settled).rejects.toMatchObject({ code: 'STORE_FAILED' });
      expect(await under.calm.readOutcome(key.runId, SIGNAL)).toBeNull();
    });

    it('is not sent again once its time is over', async () => {
      const key = await runWith(under.calm, 'ABSENT');
      const time = new AbortController();
      injectFault(under.client, 'TransactWriteItemsCommand', async () => {
        time.abort();
        throw transactionCancelled('TransactionConflict');
      });

      const settled = under.store.settleRun(key, aSettlement(), time.signal);

      await expect(settled).rejects.toMatchObject({ code: 'STORE_FAILED' });
    });
  });

  it('fails every access when nobody answers', async () => {
    const silent = localClient({ ...dynamoDb, endpoint: 'http://127.0.0.1:9' }, { maxAttempts: 1 });
    const unreachable = storeOver(silent, under.tables);
    const { runId } = keyOf(aRun());

    const accesses = await Promise.allSettled([
      unreachable.createRun(aRun(), SIGNAL),
      unreachable.readRun(runId, DURING, SIGNAL),
      unreachable.readSteps(runId, SIGNAL),
    ]);
    silent.destroy();

    const failed = { status: 'rejected', reason: { code: 'STORE_FAILED' } };
    expect(accesses).toMatchObject([failed, failed, failed]);
  });
});
