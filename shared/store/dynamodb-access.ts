import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { refuseAborted, storeFailed } from './store-failure.ts';
import type { Candidate } from './stored-form.ts';

/** One conditional write of one item, or a check of an item that other writes depend on. */
export type ItemWrite = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** An item as it was when a condition on it failed; DynamoDB hands it over in its own notation. */
export type FoundItem = Readonly<Record<string, AttributeValue>>;

export type ConditionalWrite =
  | { readonly kind: 'written' }
  /** A condition failed; `found` are the items that were looked at, null where there was none. */
  | { readonly kind: 'refused'; readonly found: readonly (FoundItem | null)[] };

/** Where an item lies. */
export interface ItemAddress {
  readonly TableName: string;
  readonly Key: { readonly pk: string; readonly sk: string };
}

/** A text attribute of a found item. */
export function foundText(found: FoundItem | null | undefined, name: string): string | null {
  return found?.[name]?.S ?? null;
}

/** A number attribute of a found item. */
export function foundNumber(found: FoundItem | null | undefined, name: string): number | null {
  const digits = found?.[name]?.N;
  return digits === undefined ? null : Number(digits);
}

/** The few ways in which the store speaks to DynamoDB: no scan, no delete. */
export class DynamoDbAccess {
  readonly #client: DynamoDBDocumentClient;

  constructor(client: DynamoDBDocumentClient) {
    this.#client = client;
  }

  /**
   * Writes one item, or several in one transaction. A condition that fails because an earlier
   * attempt of this very write had succeeded, told by its write id, counts as written.
   *
   * @throws HarnessError `STORE_FAILED` when it is not known whether the write happened.
   */
  async write(doing: string, write: OneWrite, signal: AbortSignal): Promise<ConditionalWrite> {
    for (const pauseMs of [...PAUSES_MS, null]) {
      refuseAborted(doing, signal);
      const attempt = await this.#attempt(doing, write, signal);
      if (attempt.kind !== 'in_the_way') return attempt;
      if (pauseMs === null) throw storeFailed(doing, attempt.cause);
      await pause(pauseMs, signal);
    }
    throw storeFailed(doing, null);
  }

  /** Reads one item as it is after every confirmed write. */
  async get(doing: string, address: ItemAddress, signal: AbortSignal): Promise<Candidate | null> {
    const command = new GetCommand({ ...address, ConsistentRead: true });
    const { Item } = await this.#answered(doing, signal, () =>
      this.#client.send(command, { abortSignal: signal }),
    );
    return Item ?? null;
  }

  /** Reads all items of a query, or the first `atMost`. */
  async query(
    doing: string,
    { input, atMost = Number.POSITIVE_INFINITY }: { input: QueryCommandInput; atMost?: number },
    signal: AbortSignal,
  ): Promise<Candidate[]> {
    const items: Candidate[] = [];
    let start = input.ExclusiveStartKey;
    do {
      const command = new QueryCommand({ ...input, ExclusiveStartKey: start });
      const page = await this.#answered(doing, signal, () =>
        this.#client.send(command, { abortSignal: signal }),
      );
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start !== undefined && items.length < atMost);
    return items.slice(0, atMost);
  }

  async #attempt(doing: string, write: OneWrite, signal: AbortSignal): Promise<Attempt> {
    try {
      await this.#send(write.items, signal);
      return { kind: 'written' };
    } catch (error) {
      refuseAborted(doing, signal);
      const attempt = refusalOf(error);
      if (attempt === null) throw storeFailed(doing, error);
      return isOwn(attempt, write.writeId) ? { kind: 'written' } : attempt;
    }
  }

  #send(items: readonly ItemWrite[], signal: AbortSignal): Promise<unknown> {
    const options = { abortSignal: signal };
    const [first] = items;
    if (items.length === 1 && first?.Put) {
      return this.#client.send(new PutCommand(first.Put), options);
    }
    if (items.length === 1 && first?.Update) {
      return this.#client.send(new UpdateCommand(first.Update), options);
    }
    return this.#client.send(new TransactWriteCommand({ TransactItems: [...items] }), options);
  }

  async #answered<Answer>(
    doing: string,
    signal: AbortSignal,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    refuseAborted(doing, signal);
    try {
      return await ask();
    } catch (error) {
      throw storeFailed(doing, error);
    }
  }
}

/** The items of one write, and the id that marks them as written by it, where one is needed. */
export interface OneWrite {
  readonly items: readonly ItemWrite[];
  readonly writeId: string | null;
}

/** A write that met another one on the same item did nothing, so that sending it again is safe. */
type Attempt = ConditionalWrite | { readonly kind: 'in_the_way'; readonly cause: unknown };

/** Five pauses, 0.8 s in all: another transaction holds an item for some ten milliseconds. */
const PAUSES_MS = [25, 50, 100, 200, 400];

/** Reasons for which DynamoDB cancels a transaction before doing anything, and that pass. */
const PASSING = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Half of the length to one and a half, so that writers who met don't meet again. */
async function pause(lengthMs: number, signal: AbortSignal): Promise<void> {
  const jittered = lengthMs * (0.5 + Math.random());
  await sleep(jittered, undefined, { signal }).catch(() => undefined); // the caller looks at the signal
}

function refusalOf(error: unknown): Attempt | null {
  if (!(error instanceof Error)) return null;
  switch (error.name) {
    case 'ConditionalCheckFailedException':
      return { kind: 'refused', found: [itemOf(error)] };
    case 'TransactionConflictException':
      return { kind: 'in_the_way', cause: error };
    case 'TransactionCanceledException':
      return cancellation(error);
    default:
      return null;
  }
}

function cancellation(error: Error): Attempt | null {
  const reasons = reasonsOf(error);
  if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) {
    return { kind: 'refused', found: reasons.map(itemOf) };
  }
  const cancelling = reasons.filter(({ Code }) => Code !== undefined && Code !== 'None');
  const passes = cancelling.every(({ Code }) => PASSING.has(Code ?? ''));
  return cancelling.length > 0 && passes ? { kind: 'in_the_way', cause: error } : null;
}

function isOwn(attempt: Attempt, writeId: string | null): boolean {
  if (attempt.kind !== 'refused' || writeId === null) return false;
  return attempt.found.some((item) => foundText(item, 'write_id') === writeId);
}

function reasonsOf(error: object): readonly CancellationReason[] {
  const reasons = 'CancellationReasons' in error ? error.CancellationReasons : null;
  return Array.isArray(reasons) ? reasons : [];
}

function itemOf(holder: object): FoundItem | null {
  const item = 'Item' in holder ? holder.Item : null;
  return typeof item === 'object' && item !== null ? (item as FoundItem) : null; // the SDK's type for it
}
