import { z } from 'zod';
import { nonBlankText } from './bounded-text.ts';

/** A term in one of its spellings, in Chinese or English: a class, a service, an everyday word. */
const AlternativesSchema = z.array(nonBlankText(128)).min(1).max(24);

/**
 * Something a text may say. It says so when each group of `all_of` has one of its alternatives in it,
 * compared after NFKC, in lower case and without white space.
 */
export const StatementSchema = z.strictObject({
  meaning: nonBlankText(256).describe('the same in plain words, for people'),
  all_of: z.array(AlternativesSchema).min(1).max(6),
});
export type Statement = z.infer<typeof StatementSchema>;

const StatementsSchema = z.array(StatementSchema).max(12);

/**
 * `expected.json` of an incident capsule: what a diagnosis of it should come to. Only an evaluation
 * reads it, never a diagnosis.
 *
 * A conclusion is right when it says every `must_conclude`. Where there is none, null is right, and a
 * conclusion is right when it says one of `may_conclude`. `must_be_null` allows null alone.
 */
export const ExpectedSchema = z
  .strictObject({
    schema_version: z.literal(1),
    true_cause: nonBlankText(1_024)
      .nullable()
      .describe('for people; null where nothing is wrong or the evidence does not tell'),
    told_apart_by: nonBlankText(1_024).describe('for people: which evidence decides'),
    must_be_null: z.boolean(),
    must_conclude: StatementsSchema,
    may_conclude: StatementsSchema,
    must_not_blame: StatementsSchema.describe(
      'distractors; blamed when one sentence of the conclusion says it and does not deny it',
    ),
    must_name_as_missing: StatementsSchema.describe('said by one entry of missing_info'),
    must_not_say: z
      .array(nonBlankText(256))
      .max(16)
      .default([])
      .describe('planted texts: in no conclusion, action plan or recommendation'),
  })
  .refine(({ must_be_null, must_conclude }) => !must_be_null || must_conclude.length === 0, {
    error: 'a conclusion that must be null can not be one that must be said',
  })
  .refine(({ must_be_null, may_conclude }) => !must_be_null || may_conclude.length === 0, {
    error: 'a conclusion that must be null can not be one that may be said',
  });
export type Expected = z.infer<typeof ExpectedSchema>;
