import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The operations that the store writes with, as the SDK names their commands. */
export type WriteCommand = 'PutItemCommand' | 'UpdateItemCommand' | 'TransactWriteItemsCommand';

/** What happens to one attempt: `send` sends it; whatever is thrown is what the SDK sees. */
export type Fault = (send: () => Promise<unknown>, attempt: number) => Promise<unknown>;

/** Puts a fault under every attempt of one operation, below the SDK's own retries. */
export function injectFault(client: DynamoDBClient, command: WriteCommand, fault: Fault): void {
  let attempts = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context['commandName'] !== command) return next(args);
      attempts += 1;
      let answer: Awaited<ReturnType<typeof next>> | undefined;
      const send = async () => {
        answer = await next(args);
      };
      await fault(send, attempts);
      if (answer === undefined) throw new Error('the fault neither sent nor threw');
      return answer;
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
}

/** The write happens, its answer is lost: for the first attempt, or for as many as told. */
export function losingAnswers(upTo = 1): Fault {
  return async (send, attempt) => {
    await send();
    if (attempt <= upTo) throw brokenConnection();
  };
}

/** The first attempt never arrives; something else happens meanwhile. */
export function losingRequest(meanwhile: () => Promise<unknown>): Fault {
  return async (send, attempt) => {
    if (attempt > 1) return send();
    await meanwhile();
    throw brokenConnection();
  };
}

/** DynamoDB refuses the first attempts, as many as told, without doing anything. */
export function refusing(upTo: number, refusal: () => Error): Fault {
  return async (send, attempt) => {
    if (attempt <= upTo) throw refusal();
    return send();
  };
}

/** Another transaction holds an item of this one. */
export function transactionCancelled(code: string): Error {
  return Object.assign(new Error('Transaction cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: code }],
  });
}

/** A transaction holds the item of this single write. */
export function itemInTransaction(): Error {
  return Object.assign(new Error('Transaction ongoing'), { name: 'TransactionConflictException' });
}

/** The names of all commands that the client sends. */
export function recordCommands(client: DynamoDBClient): readonly string[] {
  const commands: string[] = [];
  client.middlewareStack.add(
    (next, context) => async (args) => {
      commands.push(String(context['commandName']));
      return next(args);
    },
    { step: 'initialize' },
  );
  return commands;
}

function brokenConnection(): Error {
  return Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
}
