import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiagnosisOutcomeSchema } from '../../shared/contracts/diagnosis-outcome.ts';
import { type Played, play } from '../support/played-conversation.ts';
import { conversation } from '../support/random-conversation.ts';
import { COSTLY_TRIALS, played, TRIALS, TRIALS_TIMEOUT_MS } from '../support/trials.ts';

describe('whatever a model says and its sources do', { timeout: TRIALS_TIMEOUT_MS }, () => {
  it('ends in one outcome of the contract, settled as it was returned', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { outcome, stored } = await played(plan);

        expect(DiagnosisOutcomeSchema.parse(outcome)).toEqual(outcome);
        expect(stored).toBe(JSON.stringify(outcome));
      }),
      TRIALS,
    ));

  it('publishes a draft only of a completed run, citing only READY calls of this run', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { outcome, invocations } = await played(plan);

        const ready = readyIds(invocations);
        const { draft, grounding } = outcome;
        const cited = (draft?.analysis ?? []).flatMap(({ tool_call_ids: ids, quotes }) => [
          ...ids,
          ...(quotes ?? []).map(({ tool_call_id: id }) => id),
        ]);
        expect(draft !== null).toBe(outcome.status === 'COMPLETED');
        expect(grounding !== null).toBe(outcome.status === 'COMPLETED');
        expect(cited.filter((id) => !ready.includes(id))).toEqual([]);
      }),
      TRIALS,
    ));

  it('publishes a conclusion only with a quote that the record holds', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { outcome, invocations } = await played(plan);

        const texts = new Map(
          invocations.flatMap((one) =>
            one.status === 'READY' ? [[String(one.tool_call_id), one.observation]] : [],
          ),
        );
        const quotes = (outcome.draft?.analysis ?? []).flatMap((item) => item.quotes ?? []);
        const absent = quotes.filter(
          ({ tool_call_id: id, text }) =>
            !(texts.get(id) ?? '').includes(JSON.stringify(text).slice(1, -1)),
        );
        expect(absent).toEqual([]);
        expect(outcome.grounding?.conclusion ?? 'NONE').toBe(
          (outcome.draft?.conclusion ?? null) === null ? 'NONE' : 'QUOTED',
        );
      }),
      TRIALS,
    ));

  it('lists in the snapshot the settled checks, all of them and no other', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { outcome, invocations } = await played(plan);

        const listed = outcome.progress?.checks.map(({ tool_call_id: id }) => id) ?? [];
        expect(listed).toEqual(readyIds(invocations));
        expect(outcome.progress === null).toBe(listed.length === 0);
      }),
      TRIALS,
    ));

  it('gives the same script the same outcome, requests and audit, byte for byte', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const first = await played(plan);
        const second = await play(plan);

        expect(bytesOf(second)).toEqual(bytesOf(first));
      }),
      COSTLY_TRIALS,
    ));

  it('ends the same when the step hook throws', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const quiet = await played(plan);
        const loud = await play(plan, { hook: throwing });

        expect(bytesOf(loud)).toEqual(bytesOf(quiet));
      }),
      COSTLY_TRIALS,
    ));
});

function throwing(): never {
  throw new Error('a hook that fails');
}

function readyIds(invocations: Played['invocations']): readonly string[] {
  return invocations.filter(({ status }) => status === 'READY').map(({ tool_call_id: id }) => id);
}

function bytesOf({ outcome, happenings, steps }: Played): readonly string[] {
  const requests = happenings.flatMap((one) => (one.kind === 'request' ? [one.body] : []));
  return [outcome, requests, steps].map((part) => JSON.stringify(part));
}
