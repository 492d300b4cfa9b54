import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LookupKnowledgeInputSchema,
  QueryLogsInputSchema,
  QueryMysqlInputSchema,
} from '../../shared/contracts/tool-inputs.ts';
import { canonicalJson } from '../../shared/kernel/canonical-json.ts';
import { utf8Length } from '../../shared/kernel/utf8.ts';
import { CLOCK_START } from '../support/hand-moved-clock.ts';
import { shownIn } from '../support/planned-answers.ts';
import type { Happening, Played } from '../support/played-conversation.ts';
import { conversation } from '../support/random-conversation.ts';
import { played, TRIALS, TRIALS_TIMEOUT_MS } from '../support/trials.ts';

const INPUTS = {
  lookup_knowledge: LookupKnowledgeInputSchema,
  query_logs: QueryLogsInputSchema,
  query_mysql: QueryMysqlInputSchema,
};

describe('whatever a model says and its sources do', { timeout: TRIALS_TIMEOUT_MS }, () => {
  it('runs nothing once the model has been told to stop', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const run = await played(plan);

        expect(adaptersAfter(run, isTold)).toEqual([]);
      }),
      TRIALS,
    ));

  it('runs nothing once collection has stopped, but for the calls of the last round of calls', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const run = await played(plan);

        expect(adaptersAfter(run, isStopStep)).toEqual([]);
      }),
      TRIALS,
    ));

  it('starts no round past the deadline and no tool call in the time kept for the draft', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { outcome, happenings } = await played(plan);

        const runMs = Math.min(890_000, outcome.usage.limits.time_ms);
        const deadline = CLOCK_START + runMs;
        const cutoff = deadline - Math.min(60_000, runMs / 2);
        expect(of(happenings, 'request').filter(({ at }) => at >= deadline)).toEqual([]);
        expect(of(happenings, 'adapter').filter(({ at }) => at >= cutoff)).toEqual([]);
      }),
      TRIALS,
    ));

  it('runs nothing after a cancel, and records nothing as evidence', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { happenings, outcome, invocations } = await played(plan);

        const cancelledAt = happenings.findIndex(({ kind }) => kind === 'cancelled');
        const after = happenings.slice(
          happenings.length * Number(cancelledAt < 0) + cancelledAt + 1,
        );
        expect(after.filter(({ kind }) => kind === 'adapter' || kind === 'request')).toEqual([]);
        expect(after.flatMap(evidenceStep)).toEqual([]);
        expect([cancelledAt < 0, outcome.status, outcome.stop_reason]).toEqual(
          cancelledAt < 0
            ? [true, outcome.status, outcome.stop_reason]
            : [false, 'STOPPED', 'CANCELLED'],
        );
        expect(
          invocations.filter(({ status }) => status === 'OPEN' || status === 'PROJECTING'),
        ).toEqual([]);
      }),
      TRIALS,
    ));

  it('sends no request once a cancel was asked for', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { happenings } = await played(plan);

        const asked = happenings.findIndex(({ kind }) => kind === 'cancel-requested');
        const after = happenings.slice(asked < 0 ? happenings.length : asked + 1);
        expect(of(after, 'request')).toEqual([]);
      }),
      TRIALS,
    ));

  it('spends no more rounds and tool calls than the budget, and counts what was spent', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { happenings, outcome, invocations } = await played(plan);

        const { limits, ...usage } = outcome.usage;
        const requests = of(happenings, 'request').length;
        expect(usage.model_calls).toBe(requests);
        expect(requests).toBeLessThanOrEqual(limits.model_calls);
        expect(usage.tool_calls).toBe(invocations.length);
        expect(of(happenings, 'adapter').length).toBe(usage.tool_calls);
        expect(usage.tool_calls).toBeLessThanOrEqual(limits.tool_calls);
        expect(usage.bytes).toBeLessThanOrEqual(limits.bytes);
        expect(usage.bytes).toBeGreaterThanOrEqual(bytesShown(happenings));
      }),
      TRIALS,
    ));

  it('keeps the first reason collection stopped for, unless a cancel or the deadline ends the run', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { outcome, steps } = await played(plan);

        const stops = steps.flatMap(({ detail }) => (detail.kind === 'STOP' ? [detail] : []));
        const cutOff = stops.find(
          ({ ends_run: ends, stop_reason: reason }) =>
            ends && (reason === 'CANCELLED' || reason === 'DEADLINE'),
        );
        expect(outcome.stop_reason).toBe((cutOff ?? stops[0])?.stop_reason ?? null);
      }),
      TRIALS,
    ));

  it('hands an adapter only a valid input, unwrapped, as the model asked it', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { happenings } = await played(plan);

        const planned = new Set(
          plan.rounds.flatMap(({ say }) =>
            say.kind === 'calls' ? say.calls.map(({ business }) => canonicalJson(business)) : [],
          ),
        );
        for (const { call } of of(happenings, 'adapter')) {
          expect(INPUTS[call.toolName].safeParse(call.input)).toMatchObject({ success: true });
          expect(planned).toContain(canonicalJson(call.input));
        }
      }),
      TRIALS,
    ));
});

function of<Kind extends Happening['kind']>(happenings: readonly Happening[], kind: Kind) {
  return happenings.filter((one): one is Extract<Happening, { kind: Kind }> => one.kind === kind);
}

/** UTF-8 bytes of the user message and of every observation that reached the model. */
function bytesShown(happenings: readonly Happening[]): number {
  const body = of(happenings, 'request').at(-1)?.body;
  if (body === undefined) return 0;
  const message = body.messages?.[0]?.content?.[0]?.text ?? '';
  return [message, ...shownIn(body).map((one) => JSON.stringify(one))]
    .map(utf8Length)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Adapter calls behind the first happening of a kind. */
function adaptersAfter({ happenings }: Played, isEnd: (happening: Happening) => boolean) {
  const end = happenings.findIndex(isEnd);
  return end < 0 ? [] : of(happenings.slice(end), 'adapter');
}

/** A request whose last message tells the model to stop. */
function isTold(happening: Happening): boolean {
  return (
    happening.kind === 'request' &&
    shownIn(happening.body).some(({ control }) => control === 'STOP_REQUIRED')
  );
}

/** A stop for any reason but the notice, under which the calls of the round still run. */
function isStopStep({ ...happening }: Happening): boolean {
  if (happening.kind !== 'step' || happening.step.detail.kind !== 'STOP') return false;
  return happening.step.detail.stop_reason !== 'MODEL_CALLS_EXHAUSTED';
}

function evidenceStep(happening: Happening) {
  if (happening.kind !== 'step' || happening.step.detail.kind !== 'TOOL_CALL') return [];
  return happening.step.detail.evidence_status === 'ERROR' ? [] : [happening.step.detail];
}
