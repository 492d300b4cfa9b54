import { afterAll, describe, expect, it } from 'vitest';
import { verifyRecord } from '../../functions/cli/verification/verify-record.ts';
import type { WholeRecord } from '../../functions/run-record/record-pages.ts';
import type { Invocation } from '../../shared/contracts/invocation.ts';
import { atHand } from '../support/at-hand.ts';
import { dynamoDbFor } from '../support/dynamodb.ts';
import type { ProxiedRequest } from '../support/dynamodb-proxy.ts';
import { deliveryOf, LambdaBench } from '../support/lambda-bench.ts';
import type { Came, LambdaProcess } from '../support/runtime-api.ts';
import { shortConversation } from '../support/short-conversation.ts';
import { IS_THOROUGH } from '../support/thorough.ts';

/** A cut: the process is killed right before or right after a write of its run, counted from 1. */
interface Cut {
  readonly write: number;
  readonly when: 'before' | 'after';
}

const dynamoDb = await dynamoDbFor('the built Lambda, killed at every write of a run');
const bench =
  dynamoDb.endpoint === null
    ? null
    : await LambdaBench.start(dynamoDb, { brain: shortConversation });
/** A process that lives on, for the deliveries after a kill. */
const survivor = await bench?.start('diagnosis');
/** What is to strike which run; the proxy serves all of them at once. */
const strikes = new Map<string, Cut & { readonly blow: () => void }>();
if (bench !== null) {
  bench.proxy.decide = (request) => {
    const strike = request.runId === null ? undefined : strikes.get(request.runId);
    if (strike === undefined || !request.isWrite) return { kind: 'pass' };
    const written = writesOf(request.runId ?? '').length;
    return written === strike.write ? { ...strike, kind: 'strike' } : { kind: 'pass' };
  };
}
const things = await atHand();
const writesOfRun = await countWrites();

/** After one write and before the next the record is the same: without much time one of the two is tried. */
const CUTS = Array.from({ length: writesOfRun }, (_, index) => index + 1)
  .flatMap((write): Cut[] => [
    { write, when: 'before' },
    { write, when: 'after' },
  ])
  .filter(({ write, when }) => IS_THOROUGH || when === 'after' || write === 1);

afterAll(async () => {
  await survivor?.end();
  await bench?.[Symbol.asyncDispose]();
});

describe.skipIf(bench === null)(dynamoDb.suite, () => {
  it('makes each kind of write', () => {
    const kinds = new Set(writesOf('uncut').map(kindOf));

    expect([...kinds].sort()).toEqual([
      'close',
      'error',
      'legend',
      'open',
      'projecting',
      'raw',
      'ready',
      'round',
      'run',
      'step',
    ]);
  });

  it.concurrent.each(CUTS)('$when write $write', { timeout: 120_000 }, async (cut) => {
    const { write, when } = cut;
    const runId = `cut-${write}-${when}`;
    await killAt(cut, runId);

    const asked = there(bench).modelRequestsOf(runId);
    const second = await deliver(runId);
    await there(bench).endLease(runId);
    const third = await deliver(runId);
    const fourth = await deliver(runId);

    const left = leftBehind(cut);
    expect(nameOf(second)).toBe(SECOND_DELIVERY[left]);
    expect(codeOf(third)).toBe(AFTER_LEASE[left]);
    expect(fourth).toEqual(third);
    expect(there(bench).modelRequestsOf(runId)).toBe(left === 'nothing' ? 3 : asked);
    expect(opensOf(runId)).toEqual([...new Set(opensOf(runId))]);

    const record = await there(bench).record(runId);
    expect(bodyOf(third)).toBe(JSON.stringify(record?.outcome));
    expect(record?.invocations.filter(isUnsettled)).toEqual([]);
    expect(progressOf(record)).toEqual(readyIds(record));
    expect(doubtsIn(record)).toEqual([]);
  });
});

describe.skipIf(bench === null)('the process that settles an abandoned run', () => {
  it.concurrent.each<Cut>([
    { write: 1, when: 'before' },
    { write: 1, when: 'after' },
    { write: 2, when: 'before' },
    { write: 2, when: 'after' },
  ])('may be killed as well: $when its write $write', { timeout: 120_000 }, async (cut) => {
    const runId = `abandoner-${cut.write}-${cut.when}`;
    const opening = writesOf('uncut').findIndex((request) => kindOf(request) === 'open') + 1;
    await killAt({ write: opening, when: 'after' }, runId);
    await there(bench).endLease(runId);
    await killAt({ ...cut, write: opening + cut.write }, runId);

    const came = await deliver(runId);

    const record = await there(bench).record(runId);
    expect(codeOf(came)).toBe('RUN_ABANDONED');
    expect(bodyOf(came)).toBe(JSON.stringify(record?.outcome));
    expect(record?.invocations).toMatchObject([{ status: 'ERROR', error_code: 'ABANDONED' }]);
    expect(doubtsIn(record)).toEqual([]);
  });
});

/** How many writes a run makes that nobody kills. */
async function countWrites(): Promise<number> {
  if (bench === null) return 0;
  await deliver('uncut');
  return writesOf('uncut').length;
}

function writesOf(runId: string): readonly ProxiedRequest[] {
  return there(bench).proxy.requestsOf(runId).filter(isWrite);
}

async function killAt({ write, when }: Cut, runId: string): Promise<void> {
  const lambda = await there(bench).start('diagnosis');
  strikes.set(runId, { write, when, blow: () => lambda.kill() });
  const came = await lambda.invoke(deliveryOf(runId));
  strikes.delete(runId);
  await lambda.end();
  expect(came).toEqual({ kind: 'died' });
}

/** What a cut leaves: before the first write nothing, after the last a settled run, else an open one. */
function leftBehind({ write, when }: Cut): 'nothing' | 'open' | 'settled' {
  if (write === 1 && when === 'before') return 'nothing';
  return write === writesOfRun && when === 'after' ? 'settled' : 'open';
}

const SECOND_DELIVERY = {
  nothing: 'COMPLETED',
  open: 'RunInProgressError',
  settled: 'COMPLETED',
} as const;
const AFTER_LEASE = { nothing: null, open: 'RUN_ABANDONED', settled: null } as const;

function deliver(runId: string): Promise<Came> {
  return there(survivor).invoke(deliveryOf(runId));
}

function there<Thing extends LambdaBench | LambdaProcess>(thing: Thing | null | undefined): Thing {
  if (thing == null) throw new Error('DynamoDB Local does not run here');
  return thing;
}

function bodyOf(came: Came): string | null {
  return came.kind === 'response' ? came.body : null;
}

function nameOf(came: Came): string {
  return came.kind === 'error' ? came.errorType : JSON.parse(bodyOf(came) ?? '{}').status;
}

function codeOf(came: Came): string | null {
  return JSON.parse(bodyOf(came) ?? '{}').failure?.code ?? null;
}

function isWrite(request: ProxiedRequest): boolean {
  return request.isWrite;
}

/** Calls whose invocation was opened, in order; a tool runs because of nothing else. */
function opensOf(runId: string): readonly string[] {
  const opens = there(bench)
    .proxy.requestsOf(runId)
    .filter((request) => kindOf(request) === 'open');
  return opens.map(({ body }) => /CALL#(call-[0-9]+)/.exec(body)?.[1] ?? '');
}

function kindOf({ operation, body }: ProxiedRequest): string {
  if (operation === 'TransactWriteItems') {
    if (body.includes('"OUTCOME"')) return 'close';
    return body.includes('"REQUEST"') ? 'run' : 'open';
  }
  if (operation === 'UpdateItem') return updateKind(body);
  if (body.includes('"RAW#')) return 'raw';
  return body.includes('"LEGEND"') ? 'legend' : 'step';
}

function updateKind(body: string): string {
  const status = /":set_status":\{"S":"([A-Z]+)"/.exec(body)?.[1];
  return status?.toLowerCase() ?? 'round';
}

function isUnsettled({ status }: Invocation): boolean {
  return status === 'OPEN' || status === 'PROJECTING';
}

function progressOf(record: WholeRecord | null): readonly string[] {
  return record?.outcome?.progress?.checks.map(({ tool_call_id: id }) => id) ?? [];
}

function readyIds(record: WholeRecord | null): readonly string[] {
  const ready = record?.invocations.filter(({ status }) => status === 'READY') ?? [];
  return ready.map(({ tool_call_id: id }) => id);
}

function doubtsIn(record: WholeRecord | null): readonly unknown[] {
  if (record === null) return ['there is no record'];
  return verifyRecord(record, things).filter(({ kind }) => kind === 'doubtful');
}
