import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import type {
  ControlObservation,
  ErrorCode,
  ErrorObservation,
  MissingField,
  PlaybookObservation,
  ScopeNote,
  SourceKind,
  Window,
} from '../../../shared/contracts/observation.ts';
import { utf8Length } from '../../../shared/kernel/utf8.ts';
import type { EvidenceBody } from './evidence-body.ts';
import type { ToolInput } from './evidence-tool.ts';

/** What the model is told after a tool call: the object, and the exact text of it. */
export interface Observation {
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Length of `text` in UTF-8 bytes. */
  readonly bytes: number;
}

/** What surrounds the body of an evidence observation. */
export interface EvidenceHead {
  readonly toolCallId: ToolCallId;
  readonly evidenceStatus: 'EVIDENCE_FOUND' | 'NO_EVIDENCE';
  readonly sourceKind: SourceKind;
  readonly request: ToolInput;
  readonly window: Window | null;
  readonly notes: readonly ScopeNote[];
  readonly truncated: boolean;
  /** True when the observation tells the model to stop as well. */
  readonly notice: boolean;
}

/** Evidence: what the source said, bounded and redacted. */
export function evidenceObservation(head: EvidenceHead, body: EvidenceBody): Observation {
  return toObservation({
    tool_call_id: head.toolCallId,
    evidence_status: head.evidenceStatus,
    source_kind: head.sourceKind,
    scope: { request: head.request, window: head.window, notes: head.notes },
    truncated: head.truncated,
    ...body,
    ...notice(head.notice),
  });
}

/** An error: a stable code and, for a bad input, the paths at fault. Never a vendor's words. */
export function errorObservation(
  toolCallId: ToolCallId,
  code: ErrorCode,
  { fields = [], notice: told }: { readonly fields?: readonly string[]; readonly notice: boolean },
): Observation {
  const error: ErrorObservation = {
    tool_call_id: toolCallId,
    evidence_status: 'ERROR',
    error_code: code,
    ...(fields.length > 0 && { fields: [...fields] }),
    ...notice(told),
  };
  return toObservation(error);
}

/** The newest evidence has to be evaluated before the next question. */
export function repairObservation(
  toolCallId: ToolCallId,
  missingField: MissingField,
  expectedToolCallId: ToolCallId,
): Observation {
  return controlObservation({
    tool_call_id: toolCallId,
    control: 'REPAIR_REQUIRED',
    missing_field: missingField,
    expected_tool_call_id: expectedToolCallId,
  });
}

/** The same was asked before; its observation stands. */
export function duplicateObservation(
  toolCallId: ToolCallId,
  equivalentToolCallId: ToolCallId,
): Observation {
  return controlObservation({
    tool_call_id: toolCallId,
    control: 'DUPLICATE_CALL',
    equivalent_tool_call_id: equivalentToolCallId,
  });
}

/** The playbook was read before in this run. */
export function alreadyReadObservation(toolCallId: ToolCallId): Observation {
  return controlObservation({ tool_call_id: toolCallId, control: 'ALREADY_READ' });
}

/** Collection is over; only the draft is left to write. */
export function stopObservation(toolCallId: ToolCallId): Observation {
  return controlObservation({ tool_call_id: toolCallId, control: 'STOP_REQUIRED' });
}

/** A playbook's text: guidance, never evidence. */
export function playbookObservation(
  toolCallId: ToolCallId,
  { skill, instructions }: { readonly skill: string; readonly instructions: string },
  told: boolean,
): Observation {
  const playbook: PlaybookObservation = {
    tool_call_id: toolCallId,
    skill,
    instructions,
    ...notice(told),
  };
  return toObservation(playbook);
}

/** There is no playbook of that name; these there are. */
export function unknownSkillObservation(
  toolCallId: ToolCallId,
  validNames: readonly string[],
  told: boolean,
): Observation {
  const unknown: PlaybookObservation = {
    tool_call_id: toolCallId,
    playbook_error: 'UNKNOWN_SKILL',
    valid_names: [...validNames],
    ...notice(told),
  };
  return toObservation(unknown);
}

function controlObservation(control: ControlObservation): Observation {
  return toObservation(control);
}

function notice(told: boolean): { control?: 'STOP_REQUIRED' } {
  return told ? { control: 'STOP_REQUIRED' } : {};
}

function toObservation(json: Readonly<Record<string, unknown>>): Observation {
  const text = JSON.stringify(json);
  return { json, text, bytes: utf8Length(text) };
}
