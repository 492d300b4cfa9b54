import type { ContentBlock } from '@aws-sdk/client-bedrock-runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConverseBody } from '../../functions/cli/stand-in/brain.ts';
import {
  ControlObservationSchema,
  ErrorObservationSchema,
  KnowledgeObservationSchema,
  LogsObservationSchema,
  MAX_OBSERVATION_BYTES,
  MysqlObservationSchema,
  PlaybookObservationSchema,
} from '../../shared/contracts/observation.ts';
import { utf8Length } from '../../shared/kernel/utf8.ts';
import { shownIn } from '../support/planned-answers.ts';
import { type Played, SOURCE_CANARY } from '../support/played-conversation.ts';
import { conversation } from '../support/random-conversation.ts';
import { RAW_CANARY } from '../support/scripted-sources.ts';
import { played, TRIALS, TRIALS_TIMEOUT_MS } from '../support/trials.ts';

const OBSERVATION_FORMS = [
  KnowledgeObservationSchema,
  LogsObservationSchema,
  MysqlObservationSchema,
  ErrorObservationSchema,
  ControlObservationSchema,
  PlaybookObservationSchema,
];

describe('whatever a model says and its sources do', { timeout: TRIALS_TIMEOUT_MS }, () => {
  it('answers each replayed tool use exactly once, under its own id, in the next message', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const run = await played(plan);

        expect(run.refusals).toEqual([]);
        for (const body of requestsOf(run)) expect(answeredIds(body)).toEqual(askedIds(body));
      }),
      TRIALS,
    ));

  it('only ever adds to what was said', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const run = await played(plan);

        const histories = requestsOf(run).map(historyOf);
        for (const [index, history] of histories.slice(1).entries()) {
          const earlier = histories[index] ?? [];
          expect(history.slice(0, earlier.length)).toEqual(earlier);
          expect(history.length).toBe(earlier.length + 2);
        }
      }),
      TRIALS,
    ));

  it('shows observations of the contract and nothing else', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const run = await played(plan);

        for (const observation of observationsOf(run)) {
          const forms = OBSERVATION_FORMS.filter((form) => form.safeParse(observation).success);
          expect(forms, JSON.stringify(observation)).toHaveLength(1);
          expect(utf8Length(JSON.stringify(observation))).toBeLessThanOrEqual(
            MAX_OBSERVATION_BYTES,
          );
        }
      }),
      TRIALS,
    ));

  it('shows each call its own observation, word for word as the record keeps it', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const run = await played(plan);

        const shown = new Map(
          observationsOf(run).map((one) => [one['tool_call_id'], JSON.stringify(one)]),
        );
        const kept = run.invocations.flatMap((one) =>
          one.status === 'READY' ? [[String(one.tool_call_id), one.observation] as const] : [],
        );
        expect(kept.filter(([id, text]) => (shown.get(id) ?? text) !== text)).toEqual([]);
        expect(evidenceIds(run).filter((id) => !new Map(kept).has(String(id)))).toEqual([]);
      }),
      TRIALS,
    ));

  it('shows no limit and no raw fragment, and keeps fragments out of outcome and audit', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const run = await played(plan);

        const shown = JSON.stringify(observationsOf(run));
        const { limits, ...usage } = run.outcome.usage;
        const published = JSON.stringify([{ ...run.outcome, usage }, run.steps, run.reported]);
        const secret = [limits.tokens, limits.bytes, limits.time_ms, '7919'].map(String);
        expect(secret.filter((value) => shown.includes(value))).toEqual([]);
        expect(
          [RAW_CANARY, SOURCE_CANARY].filter((value) => `${shown}${published}`.includes(value)),
        ).toEqual([]);
      }),
      TRIALS,
    ));
});

function requestsOf({ happenings }: Played): readonly ConverseBody[] {
  return happenings.flatMap((one) => (one.kind === 'request' ? [one.body] : []));
}

/** Every observation that a request carried, each once. */
function observationsOf(run: Played): readonly Readonly<Record<string, unknown>>[] {
  const last = requestsOf(run).at(-1);
  return last === undefined ? [] : shownIn(last);
}

function evidenceIds(run: Played): readonly unknown[] {
  return observationsOf(run)
    .filter(
      ({ evidence_status: status }) => status === 'EVIDENCE_FOUND' || status === 'NO_EVIDENCE',
    )
    .map(({ tool_call_id: id }) => id);
}

/** Ids that the assistant asked under, turn by turn. */
function askedIds({ messages = [] }: ConverseBody): readonly (readonly string[])[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content = [] }) => content.flatMap(({ toolUse }) => toolUse?.toolUseId ?? []));
}

/** Ids that the user's next message answers, turn by turn; the first message answers nothing. */
function answeredIds({ messages = [] }: ConverseBody): readonly (readonly string[])[] {
  return messages
    .filter(({ role }) => role === 'user')
    .slice(1)
    .map(({ content = [] }) => content.flatMap(({ toolResult }) => toolResult?.toolUseId ?? []));
}

/** The messages without their cache points, which move with the newest one. */
function historyOf({ messages = [] }: ConverseBody): readonly unknown[] {
  return messages.map(({ role, content = [] }) => ({ role, content: content.filter(isSaid) }));
}

function isSaid(block: ContentBlock): boolean {
  return block.cachePoint === undefined;
}
