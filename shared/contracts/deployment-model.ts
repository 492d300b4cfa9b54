import { z } from 'zod';
import { ConfigurationSchema } from './configuration.ts';

/**
 * Regions with a `bedrock-runtime` endpoint in the partition `aws`
 * (docs.aws.amazon.com/bedrock/latest/userguide/endpoints-region-availability.html, November 2026).
 */
export const BEDROCK_REGIONS = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'ca-west-1',
  'mx-central-1',
  'sa-east-1',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'af-south-1',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'ap-east-2',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
] as const;

const { max_tokens, prompt_cache } = ConfigurationSchema.shape.model.shape;

const Price = z.number().min(0).max(10_000);

const settings = {
  max_tokens,
  prompt_cache,
  // For the cost estimate of the dashboard; without them it shows tokens alone.
  usd_per_million_tokens: z
    .strictObject({ input: Price, output: Price, cache_read: Price, cache_write: Price })
    .optional(),
};

/** `vendor.model`, as foundation models are named. */
const MODEL_ID = /^[a-z0-9]{2,32}\.[A-Za-z0-9.:_-]{1,128}$/;
/** `geography.vendor.model`, as system-defined inference profiles are named; `global` is none. */
const PROFILE_ID =
  /^(?!global\.)[a-z]{2,8}(?:-[a-z]{2,8})?\.[a-z0-9]{2,32}\.[A-Za-z0-9.:_-]{1,128}$/;
const GLOBAL_ID = /^global\.[a-z0-9]{2,32}\.[A-Za-z0-9.:_-]{1,128}$/;
/** Prefixes of inference profiles, which a foundation model's vendor never is. */
const NOT_A_PROFILE = /^(?!(?:us|eu|apac|jp|au|ca|in|sa|me|af|global)\.)/;

/** A foundation model of the region itself. */
const InRegionSchema = z.strictObject({
  kind: z.literal('IN_REGION'),
  model_id: z
    .string()
    .regex(MODEL_ID, 'must be a foundation model such as vendor.model-v1:0')
    .regex(NOT_A_PROFILE, 'must be a foundation model; an inference profile is another kind'),
  ...settings,
});

/** An inference profile that stays within its geography. */
const GeographicSchema = z.strictObject({
  kind: z.literal('GEOGRAPHIC_PROFILE'),
  profile_id: z
    .string()
    .regex(PROFILE_ID, 'must be a geographic inference profile such as eu.vendor.model-v1:0'),
  destination_regions: z
    .array(z.string().regex(/^[a-z]{2}-[a-z]{4,12}-[0-9]$/, 'must be a region'))
    .min(1)
    .max(32),
  ...settings,
});

/** An inference profile that may send a request to any commercial region. */
const GlobalSchema = z.strictObject({
  kind: z.literal('GLOBAL_PROFILE'),
  profile_id: z.string().regex(GLOBAL_ID, 'must be a global inference profile'),
  may_leave_geography: z.literal(true, {
    error: 'must be true: evidence is sent to any region of the world with this profile',
  }),
  ...settings,
});

/** The model of a stage, and how far its requests may travel. */
export const ModelChoiceSchema = z.discriminatedUnion('kind', [
  InRegionSchema,
  GeographicSchema,
  GlobalSchema,
]);
export type ModelChoice = z.infer<typeof ModelChoiceSchema>;

/** What a request names as its model. */
export function modelIdOf(model: ModelChoice): string {
  return model.kind === 'IN_REGION' ? model.model_id : model.profile_id;
}

/** The foundation model behind the choice. */
export function foundationModelOf(model: ModelChoice): string {
  if (model.kind === 'IN_REGION') return model.model_id;
  return model.profile_id.slice(model.profile_id.indexOf('.') + 1);
}
