import { z } from 'zod';

const LABEL = /^[A-Za-z0-9._-]{1,128}$/;

/** Names one diagnosis for good: nothing is executed twice under one run id. */
export const RunIdSchema = z
  .string()
  .regex(LABEL, 'must be 1 to 128 of A-Z a-z 0-9 . _ -')
  .brand('RunId');
export type RunId = z.infer<typeof RunIdSchema>;

/** Names the conversation a run belongs to: a label, never a permission. */
export const SessionIdSchema = z
  .string()
  .regex(LABEL, 'must be 1 to 128 of A-Z a-z 0-9 . _ -')
  .brand('SessionId');
export type SessionId = z.infer<typeof SessionIdSchema>;

/** Names one tool call of a run: `call-1`, `call-2`, … in the order the model asked. */
export const ToolCallIdSchema = z
  .string()
  .regex(/^call-[1-9][0-9]{0,5}$/, 'must be call-N')
  .brand('ToolCallId');
export type ToolCallId = z.infer<typeof ToolCallIdSchema>;

/** The id of the n-th tool call (1-based) of a run. */
export function toToolCallId(ordinal: number): ToolCallId {
  return ToolCallIdSchema.parse(`call-${ordinal}`);
}

/** Name of a log topic, a catalogued query, a playbook: short, lower case, safe in paths and prompts. */
export const ConfiguredNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z 0-9 _ -, beginning with a-z 0-9');

/** RFC 3339 with a zone. */
export const InstantSchema = z.iso.datetime({ offset: true });
