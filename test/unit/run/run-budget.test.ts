import { describe, expect, it } from 'vitest';
import { RunBudget } from '../../../functions/diagnosis/run/run-budget.ts';
import type { Limits } from '../../../shared/contracts/budget.ts';
import type { TokenUsage } from '../../../shared/contracts/step.ts';

const MAX_TOKENS = 1_000;

describe('RunBudget', () => {
  it('refuses a round past the limit', () => {
    const budget = aBudget({ model_calls: 1 });
    budget.beginRound();

    const refusal = budget.refusalOfRound();

    expect(refusal).toBe('MODEL_CALLS_EXHAUSTED');
  });

  it('lets a round overdraw the tokens and refuses the one after it', () => {
    const budget = aBudget({ tokens: 32_768 });
    budget.recordUsage(tokens({ input_tokens: 40_000 }));

    const refusal = budget.refusalOfRound();

    expect(refusal).toBe('TOKENS_EXHAUSTED');
    expect(budget.usage(0).input_tokens).toBe(40_000);
  });

  it.each<keyof TokenUsage>([
    'input_tokens',
    'output_tokens',
    'cache_read_tokens',
    'cache_write_tokens',
  ])('counts %s against the tokens', (kind) => {
    const budget = aBudget({ tokens: 32_768 });
    budget.recordUsage(tokens({ [kind]: 32_768 }));

    const refusal = budget.refusalOfRound();

    expect(refusal).toBe('TOKENS_EXHAUSTED');
  });

  it('refuses a round when the bytes are used up', () => {
    const budget = aBudget({ bytes: 81_920 });
    budget.recordUserMessage(81_920);

    const refusal = budget.refusalOfRound();

    expect(refusal).toBe('BYTES_EXHAUSTED');
  });

  it('refuses the tool call past the limit', () => {
    const budget = aBudget({ tool_calls: 1 });
    budget.openToolCall();

    const refusal = budget.refusalOfToolCall();

    expect(refusal).toBe('TOOL_CALLS_EXHAUSTED');
  });

  it.each([
    [10_000 + MAX_TOKENS + 500, null],
    [10_000 + MAX_TOKENS + 499, 'TOKENS_EXHAUSTED'],
  ])(
    'keeps the last input, half the new observation and one answer back: %i left',
    (left, refusal) => {
      const budget = aBudget({ tokens: 100_000 });
      budget.recordUsage(tokens({ output_tokens: 90_000 - left }));
      budget.recordUsage(
        tokens({ input_tokens: 4_000, cache_read_tokens: 5_000, cache_write_tokens: 1_000 }),
      );
      budget.recordObservation(999);

      expect(budget.refusalOfToolCall()).toBe(refusal);
    },
  );

  it('forgets the new observations once a round has taken them in', () => {
    const budget = aBudget({ tokens: 100_000 });
    budget.recordObservation(12_000);
    budget.recordUsage(
      tokens({ input_tokens: 100_000 - 2 * MAX_TOKENS - 90_000, output_tokens: 0 }),
    );

    expect(budget.refusalOfToolCall()).toBeNull();
  });

  it.each([
    [28_672, null],
    [28_671, 'BYTES_EXHAUSTED'],
  ])('keeps room for one observation and a draft: %i bytes left', (left, refusal) => {
    const budget = aBudget({ bytes: 100_000 });
    budget.recordUserMessage(100_000 - left);

    expect(budget.refusalOfToolCall()).toBe(refusal);
  });

  it('takes a draft that fills the limit to the last byte', () => {
    const budget = aBudget({ bytes: 100_000 });
    budget.recordUserMessage(99_000);

    const isAccepted = budget.acceptDraft(1_000);

    expect(isAccepted).toBe(true);
    expect(budget.usage(0).bytes).toBe(100_000);
  });

  it('books nothing for a draft one byte too long', () => {
    const budget = aBudget({ bytes: 100_000 });
    budget.recordUserMessage(99_000);

    const isAccepted = budget.acceptDraft(1_001);

    expect(isAccepted).toBe(false);
    expect(budget.usage(0).bytes).toBe(99_000);
  });

  it('gives the whole account', () => {
    const budget = aBudget({});
    budget.beginRound();
    budget.recordUsage(
      tokens({ input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 }),
    );
    budget.beginRound();
    budget.recordUsage(null);
    budget.openToolCall();
    budget.recordUserMessage(10);
    budget.recordObservation(20);

    const usage = budget.usage(1_234);

    expect(usage).toEqual({
      model_calls: 2,
      tool_calls: 1,
      bytes: 30,
      time_ms: 1_234,
      input_tokens: 1,
      output_tokens: 2,
      cache_read_tokens: 3,
      cache_write_tokens: 4,
      rounds_without_usage: 1,
      limits: LIMITS,
    });
  });
});

/** Limits no test reaches by accident; each test names only the one it is about. */
const LIMITS: Limits = {
  model_calls: 60,
  tool_calls: 16,
  tokens: 4_000_000,
  bytes: 8_000_000,
  time_ms: 900_000,
};

function aBudget(limits: Partial<Limits>): RunBudget {
  return new RunBudget({ ...LIMITS, ...limits }, MAX_TOKENS);
}

function tokens(usage: Partial<TokenUsage>): TokenUsage {
  return {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    ...usage,
  };
}
