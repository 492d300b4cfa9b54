import { Deadline } from '../../functions/diagnosis/run/deadline.ts';
import { RunBudget } from '../../functions/diagnosis/run/run-budget.ts';
import { RunContext } from '../../functions/diagnosis/run/run-context.ts';
import { LIMIT_RANGES, type Limits } from '../../shared/contracts/budget.ts';
import { RunIdSchema, SessionIdSchema } from '../../shared/contracts/identifiers.ts';

/** Tokens of one answer, as every run of a test asks for. */
export const MAX_TOKENS = 8_192;

/** A run of a test, with what moves it from outside. */
export interface ARun {
  readonly run: RunContext;
  /** Moves the clock; milliseconds. */
  wait(ms: number): void;
  abort(reason: Error): void;
}

/** A run that has just begun and entered no round; 900 s are left of it. */
export function aRun(limits: Partial<Limits> = {}): ARun {
  let now = Date.UTC(2026, 10, 30);
  const controller = new AbortController();
  const run = new RunContext({
    runId: RunIdSchema.parse('run-1'),
    sessionId: SessionIdSchema.parse('session-1'),
    fence: 'fence-1',
    asOf: now,
    bindings: {},
    budget: new RunBudget({ ...DEFAULTS, ...limits }, MAX_TOKENS),
    deadline: Deadline.open(now, 910_000, 900_000),
    clock: { now: () => now },
    signal: controller.signal,
  });
  return {
    run,
    wait: (ms) => {
      now += ms;
    },
    abort: (reason) => controller.abort(reason),
  };
}

/** Lets the run into its next round as the model interceptor does. */
export function enterRound(run: RunContext): void {
  run.admitRound();
  run.beginRound();
}

const DEFAULTS: Limits = {
  model_calls: LIMIT_RANGES.model_calls.byDefault,
  tool_calls: LIMIT_RANGES.tool_calls.byDefault,
  tokens: LIMIT_RANGES.tokens.byDefault,
  bytes: LIMIT_RANGES.bytes.byDefault,
  time_ms: LIMIT_RANGES.time_ms.byDefault,
};
