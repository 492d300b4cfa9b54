import { z } from 'zod';

export const FailureCodeSchema = z.enum([
  'OUTPUT_REFUSED',
  'OUTPUT_TRUNCATED',
  'EVIDENCE_REJECTED',
  'MODEL_THROTTLED',
  'MODEL_UNAVAILABLE',
  'MODEL_DENIED',
  'MODEL_REFUSED',
  'CONTEXT_OVERFLOW',
  'AGENT_FAILED',
  'STORE_FAILED',
  'RUN_ABANDONED',
]);
export type FailureCode = z.infer<typeof FailureCodeSchema>;

/** Why the parser refused the last words. */
export const PARSE_CODES = [
  'EMPTY',
  'FENCED',
  'PREFIXED',
  'TRAILING',
  'OVERSIZED',
  'MALFORMED',
  'DUPLICATE_KEY',
  'FORBIDDEN_KEY',
  'BYTE_ORDER_MARK',
  'NOT_UTF8',
  'LONE_SURROGATE',
  'TOO_DEEP',
  'SCHEMA',
] as const;
export type ParseCode = (typeof PARSE_CODES)[number];

/** Why the guard refused a draft. */
export const GUARD_CODES = [
  'UNKNOWN_EVIDENCE',
  'NOT_EVIDENCE',
  'NO_EVIDENCE_AS_PROOF',
  'QUOTE_NOT_CITED',
  'QUOTE_TOO_SHORT',
  'QUOTE_NOT_FOUND',
  'CONCLUSION_UNGROUNDED',
  'MISSING_INFO_REQUIRED',
  'CHECKED_SCOPE_REQUIRED',
  'UNTRUSTED_LINK',
] as const;
export type GuardCode = (typeof GUARD_CODES)[number];

/** What the vendor adapter saw: of the service, of its answer, of the framework, of the store. */
export const VENDOR_CODES = [
  'THROTTLED',
  'QUOTA_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'SERVICE_ERROR',
  'MODEL_NOT_READY',
  'MODEL_TIMEOUT',
  'MODEL_ERROR',
  'CONNECTION_FAILED',
  'RESPONSE_UNREADABLE',
  'ACCESS_DENIED',
  'CREDENTIALS_MISSING',
  'MODEL_NOT_FOUND',
  'REQUEST_INVALID',
  'INPUT_TOO_LONG',
  'CONTEXT_WINDOW_EXCEEDED',
  'GUARDRAIL_INTERVENED',
  'CONTENT_FILTERED',
  'MALFORMED_MODEL_OUTPUT',
  'MALFORMED_TOOL_USE',
  'STOP_SEQUENCE',
  'UNKNOWN_STOP_REASON',
  'STOP_REASON_MISMATCH',
  'TRUNCATED_TOOL_USE',
  'TRUNCATED_TEXT',
  'DUPLICATE_TOOL_CALL_ID',
  'MALFORMED_TOOL_CALL_ID',
  'UNSUPPORTED_CONTENT',
  'FRAMEWORK_ERROR',
  'RECORD_WRITE_FAILED',
  'RECORD_WRITE_LOST',
  'LEASE_EXPIRED',
] as const;
export type VendorCode = (typeof VENDOR_CODES)[number];

/** The closed list of detail codes: the parser's, the guard's, the vendor adapter's. */
export const DetailCodeSchema = z.enum([...PARSE_CODES, ...GUARD_CODES, ...VENDOR_CODES]);
export type DetailCode = z.infer<typeof DetailCodeSchema>;

/** Why a run failed; `rerunnable` says that a new run may fare better. */
export const FailureSchema = z.strictObject({
  code: FailureCodeSchema,
  detail_code: DetailCodeSchema,
  rerunnable: z.boolean(),
});
export type Failure = z.infer<typeof FailureSchema>;
