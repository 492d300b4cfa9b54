import type { Parameters } from 'fast-check';
import type { ConversationPlan } from './conversation-plan.ts';
import { type Played, play } from './played-conversation.ts';

const IS_LONG = process.env['LONG'] === '1';

/**
 * How often a property over whole diagnoses is tried: 10,000 times with `LONG=1`, else 300 times on
 * one seed for the properties of a file, so that each conversation is played once for all of them.
 */
export const TRIALS: Parameters<unknown> = IS_LONG
  ? { numRuns: 10_000 }
  : { numRuns: 300, seed: Date.now() % 2_147_483_647 };

/** The same for a property that plays each conversation twice or over a socket. */
export const COSTLY_TRIALS: Parameters<unknown> = { ...TRIALS, numRuns: IS_LONG ? 10_000 : 100 };

/** For such a test; milliseconds. A diagnosis takes about ten, so that this is no measure of speed. */
export const TRIALS_TIMEOUT_MS = IS_LONG ? 3_600_000 : 120_000;

const memory = new Map<string, Promise<Played>>();

/** Plays a plan in the usual way, or remembers how it went; 10,000 of them are too many to remember. */
export function played(plan: ConversationPlan): Promise<Played> {
  if (IS_LONG) return play(plan);
  const key = JSON.stringify(plan);
  const known = memory.get(key) ?? play(plan);
  memory.set(key, known);
  return known;
}
