import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Write units of all answered writes so far, indexes included. */
export interface WriteMeter {
  units(): number;
}

/**
 * Write units of one condition check in a transaction, as measured on AWS
 * (https://martinhicks.dev/articles/what-a-conditional-dynamodb-transaction-costs); DynamoDB Local
 * reports none for it.
 */
const CONDITION_CHECK_UNITS = 2;

const WRITES = new Set<unknown>([
  'PutItemCommand',
  'UpdateItemCommand',
  'TransactWriteItemsCommand',
]);

interface WriteOutput {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
}

/** Has every write of the client report what it consumes, and adds it up. */
export function meterWrites(client: DynamoDBClient): WriteMeter {
  let units = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!WRITES.has(context['commandName'])) return next(args);
      const input = { ...args.input, ReturnConsumedCapacity: 'INDEXES' as const };
      const answer = await next({ ...args, input });
      units += unitsIn(answer.output) + CONDITION_CHECK_UNITS * conditionChecksIn(input);
      return answer;
    },
    { step: 'initialize' },
  );
  return { units: () => units };
}

function unitsIn(output: object): number {
  const { ConsumedCapacity: consumed = [] } = output as WriteOutput; // each of the three writes has it
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

function conditionChecksIn(input: object): number {
  const items =
    'TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems : [];
  return items.filter((item) => 'ConditionCheck' in item).length;
}
