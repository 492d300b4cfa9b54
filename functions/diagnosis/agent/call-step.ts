import type { ErrorCode } from '../../../shared/contracts/observation.ts';
import type { StepDetail } from '../../../shared/contracts/step.ts';
import { cutUtf8 } from '../../../shared/kernel/utf8.ts';
import { toAsked } from '../audit/run-recorder.ts';
import type { BoundaryResult } from '../evidence/tool-boundary.ts';
import type { Answer } from '../run/progress-control.ts';
import type { RequestedCall } from './model-answer.ts';

/** A control decision as the audit keeps it. */
export type ControlStep = Extract<StepDetail, { kind: 'CONTROL' }>;
type ToolCallStep = Extract<StepDetail, { kind: 'TOOL_CALL' }>;

/** What every step about a tool call says of what was asked. */
export type AskedPart = Pick<
  ControlStep,
  'round' | 'tool_call_id' | 'tool_name' | 'asked' | 'playbook'
>;

/** Why a call was decided as it was; what is left out is null. */
export type ControlDetails = Partial<
  Pick<ControlStep, 'error_code' | 'missing_field' | 'related_tool_call_id' | 'stop_reason'>
>;

/** What was asked, bounded. */
export function askedPart(
  { toolCallId, name, input }: RequestedCall,
  { round, playbook }: Pick<AskedPart, 'round' | 'playbook'>,
): AskedPart {
  return {
    round,
    tool_call_id: toolCallId,
    tool_name: cutUtf8(name.toWellFormed(), 128),
    asked: toAsked(input),
    playbook,
  };
}

/** The step of a call that did not run. */
export function controlStep(
  asked: AskedPart,
  decision: ControlStep['decision'],
  details: ControlDetails,
): ControlStep {
  return {
    kind: 'CONTROL',
    ...asked,
    decision,
    error_code: null,
    missing_field: null,
    related_tool_call_id: null,
    stop_reason: null,
    ...details,
  };
}

/** What the step of a call says that the end of the run cut off: no observation was handed on. */
export const ABORTED_CALL = {
  evidence_status: 'ERROR',
  error_code: 'ABORTED',
  executed: null,
  observation_bytes: 0,
  truncated: false,
  stop_notice: false,
} as const satisfies Partial<ToolCallStep>;

/** A source that could not be read, as against an answer that merely brought nothing. */
const UNAVAILABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TOOL_TIMEOUT',
  'SOURCE_UNAVAILABLE',
  'SOURCE_THROTTLED',
  'SOURCE_DENIED',
  'SOURCE_FAILED',
  'SCAN_LIMIT',
  'RAW_TOO_LARGE',
  'RAW_MALFORMED',
]);

/** What came of a call, as far as progress goes. */
export function toAnswer({ evidenceStatus, errorCode }: BoundaryResult): Answer {
  if (evidenceStatus !== 'ERROR') return evidenceStatus;
  return errorCode !== null && UNAVAILABLE.has(errorCode) ? 'SOURCE_ERROR' : 'REFUSED';
}
