import { z } from 'zod';

/** The least and the most a limit can be in any deployment, and what holds when nobody says. */
interface LimitRange {
  readonly floor: number;
  readonly ceiling: number;
  readonly byDefault: number;
}

/**
 * Rounds, opened tool calls, tokens, UTF-8 bytes, milliseconds. The floors still hold one
 * observation and one draft; 16 tool calls is the most in any deployment, since a snapshot lists
 * every one of them.
 */
export const LIMIT_RANGES = {
  model_calls: { floor: 1, ceiling: 64, byDefault: 10 },
  tool_calls: { floor: 1, ceiling: 16, byDefault: 16 },
  tokens: { floor: 32_768, ceiling: 4_000_000, byDefault: 400_000 },
  bytes: { floor: 81_920, ceiling: 8_388_608, byDefault: 524_288 },
  // 900 s is the longest a Lambda function can run.
  time_ms: { floor: 20_000, ceiling: 900_000, byDefault: 900_000 },
} as const satisfies Record<string, LimitRange>;

export type Resource = keyof typeof LIMIT_RANGES;

/** One ceiling for each resource. */
export type Limits = Readonly<Record<Resource, number>>;

function limit({ floor, ceiling }: LimitRange) {
  return z.int().min(floor).max(ceiling);
}

/** What a caller may ask for: lower than the deployment's limits, never below the floors. */
export const BudgetRequestSchema = z
  .strictObject({
    model_calls: limit(LIMIT_RANGES.model_calls),
    tool_calls: limit(LIMIT_RANGES.tool_calls),
    tokens: limit(LIMIT_RANGES.tokens),
    bytes: limit(LIMIT_RANGES.bytes),
    time_ms: limit(LIMIT_RANGES.time_ms),
  })
  .partial();
export type BudgetRequest = z.infer<typeof BudgetRequestSchema>;

/** A deployment's limits; each has a default. */
export const LimitsSchema = z.strictObject({
  model_calls: limit(LIMIT_RANGES.model_calls).default(LIMIT_RANGES.model_calls.byDefault),
  tool_calls: limit(LIMIT_RANGES.tool_calls).default(LIMIT_RANGES.tool_calls.byDefault),
  tokens: limit(LIMIT_RANGES.tokens).default(LIMIT_RANGES.tokens.byDefault),
  bytes: limit(LIMIT_RANGES.bytes).default(LIMIT_RANGES.bytes.byDefault),
  time_ms: limit(LIMIT_RANGES.time_ms).default(LIMIT_RANGES.time_ms.byDefault),
});
