import { z } from 'zod';
import { boundedText, nonBlankText } from './bounded-text.ts';

/** Name of a parameter of a catalogued query, as it stands behind the colon in the statement. */
export const ParameterNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 of a-z 0-9 _, beginning with a-z');

/** Rows of one query at most: four observations' worth, for the record and a replay. */
export const MAX_ROW_LIMIT = 200;

/** Milliseconds a catalogued query may take at most: the default timeout of a tool call. */
export const MAX_QUERY_TIMEOUT_MS = 60_000;

const bind = z.enum(['model', 'caller']);
const description = nonBlankText(200).optional();
const common = { bind, description };

const IntegerParameterSchema = z.strictObject({
  type: z.literal('integer'),
  ...common,
  min: z.int(),
  max: z.int(),
  default: z.int().optional(),
});

const DecimalParameterSchema = z.strictObject({
  type: z.literal('decimal'),
  ...common,
  min: z.number(),
  max: z.number(),
  default: z.number().optional(),
});

const StringParameterSchema = z.strictObject({
  type: z.literal('string'),
  ...common,
  max_bytes: z.int().min(1).max(512),
  default: nonBlankText(512).optional(),
});

const EnumParameterSchema = z.strictObject({
  type: z.literal('enum'),
  ...common,
  values: z.array(nonBlankText(64)).min(1).max(50),
  default: boundedText(64).optional(),
});

const DatetimeParameterSchema = z.strictObject({
  type: z.literal('datetime'),
  ...common,
  default: boundedText(64).optional(),
});

const BooleanParameterSchema = z.strictObject({
  type: z.literal('boolean'),
  ...common,
  default: z.boolean().optional(),
});

/** How one parameter of a catalogued query is typed, bounded, and who may set it. */
export const QueryParameterSchema = z
  .discriminatedUnion('type', [
    IntegerParameterSchema,
    DecimalParameterSchema,
    StringParameterSchema,
    EnumParameterSchema,
    DatetimeParameterSchema,
    BooleanParameterSchema,
  ])
  .refine((parameter) => parameter.bind === 'caller' || parameter.description !== undefined, {
    error: 'needs a description, because the model may set it',
  })
  .refine((parameter) => parameter.bind === 'model' || parameter.default === undefined, {
    error: 'must have no default: the caller fixes it or the query does not run',
  })
  .refine((parameter) => !('min' in parameter) || parameter.min <= parameter.max, {
    error: 'must have min <= max',
  });
export type QueryParameter = z.infer<typeof QueryParameterSchema>;

/** The comment header of a catalogued query. */
export const QueryHeaderSchema = z.strictObject({
  description: nonBlankText(300).refine((text) => !text.includes('\n'), {
    error: 'must be one line',
  }),
  target: z.enum(['writer', 'reader']),
  temporal: z.enum(['windowed', 'live']),
  row_limit: z.int().min(1).max(MAX_ROW_LIMIT),
  timeout_ms: z.int().min(100).max(MAX_QUERY_TIMEOUT_MS),
  parameters: z
    .record(ParameterNameSchema, QueryParameterSchema)
    .refine((parameters) => Object.keys(parameters).length <= 12, {
      error: 'must have at most 12 entries',
    })
    .default({}),
});
export type QueryHeader = z.infer<typeof QueryHeaderSchema>;
