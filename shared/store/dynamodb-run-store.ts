import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { RECORD_ITEM } from '../contracts/table-layout.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { DynamoDbAccess } from './dynamodb-access.ts';
import {
  openInvocation,
  settleError,
  settleReady,
  startProjection,
} from './dynamodb-invocations.ts';
import {
  isCancelRequested,
  listRuns,
  readInvocations,
  readRun,
  readSteps,
  readText,
} from './dynamodb-readers.ts';
import { createRun, enterRound, requestCancel } from './dynamodb-runs.ts';
import { settleAbandoned, settleRun } from './dynamodb-settling.ts';
import { appendStep, keepLegend } from './dynamodb-steps.ts';
import type { DynamoDbTables } from './dynamodb-tables.ts';
import type { RunStore } from './run-store.ts';

export interface DynamoDbRunStoreOptions {
  /** Its own retries stay on: write ids tell an answer that was lost from a race that was lost. */
  readonly client: DynamoDBDocumentClient;
  readonly recordTable: string;
  readonly rawTable: string;
  /** Days that steps, invocations, request and outcome are kept; 100 by default, no fewer than the run. */
  readonly recordDays?: number;
  /** Days that raw results and the legend are kept; 7 by default. */
  readonly rawDays?: number;
  /** Tells readers what has expired; the machine's by default. */
  readonly clock?: Clock;
  /** Marks the items of one write; random by default. */
  readonly newWriteId?: () => string;
}

/** The record of runs in two DynamoDB tables, laid out as `shared/contracts/table-layout.ts` says. */
export function createDynamoDbRunStore(options: DynamoDbRunStoreOptions): RunStore {
  const { client, clock = systemClock } = options;
  const tables: DynamoDbTables = {
    access: new DynamoDbAccess(client),
    recordTable: options.recordTable,
    rawTable: options.rawTable,
    now: () => clock.now(),
    newWriteId: options.newWriteId ?? randomUUID,
    recordDays: options.recordDays ?? 100,
    rawDays: options.rawDays ?? 7,
  };

  return {
    createRun: (run, signal) => createRun(tables, run, signal),
    enterRound: (key, round, signal) => enterRound(tables, { key, round }, signal),
    appendStep: (key, step, signal) => appendStep(tables, { key, step }, signal),
    openInvocation: (key, invocation, signal) =>
      openInvocation(tables, { key, invocation }, signal),
    startProjection: (key, toolCallId, raw, signal) =>
      startProjection(tables, { invocation: { key, toolCallId }, raw }, signal),
    settleReady: (key, toolCallId, settlement, signal) =>
      settleReady(tables, { invocation: { key, toolCallId }, settlement }, signal),
    settleError: (key, toolCallId, settlement, signal) =>
      settleError(tables, { invocation: { key, toolCallId }, settlement }, signal),
    keepLegend: (key, legend, signal) => keepLegend(tables, { key, legend }, signal),
    settleRun: (key, settlement, signal) => settleRun(tables, { key, settlement }, signal),
    settleAbandoned: ({ runId }, settlement, now, signal) =>
      settleAbandoned(tables, { runId, settlement, now }, signal),
    requestCancel: (runId, at, signal) => requestCancel(tables, { runId, at }, signal),
    isCancelRequested: (runId, signal) => isCancelRequested(tables, runId, signal),
    readRun: (runId, now, signal) => readRun(tables, { runId, nowMs: Date.parse(now) }, signal),
    readRequest: (runId, signal) => readText(tables, { runId, sk: RECORD_ITEM.request }, signal),
    readOutcome: (runId, signal) => readText(tables, { runId, sk: RECORD_ITEM.outcome }, signal),
    readInvocations: (runId, signal) => readInvocations(tables, runId, signal),
    readSteps: (runId, signal) => readSteps(tables, runId, signal),
    listRuns: (query, now, signal) => listRuns(tables, { query, now }, signal),
  };
}
