import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import { MAX_OBSERVATION_BYTES, type ScopeNote } from '../../../shared/contracts/observation.ts';
import type { Redactor } from '../../../shared/redaction/redactor.ts';
import type { EvidenceBody } from './evidence-body.ts';
import type { PreparedCall } from './evidence-tool.ts';
import { type EvidenceHead, evidenceObservation, type Observation } from './observation.ts';
import type { AdapterResult } from './tool-adapter.ts';

/** A raw result on its way to the model. */
export interface ProjectedCall {
  readonly head: EvidenceHead;
  readonly facts: readonly string[];
  readonly observation: Observation;
}

/** What a projection starts from. */
export interface ProjectionOrder {
  readonly toolCallId: ToolCallId;
  readonly call: PreparedCall;
  readonly result: Extract<AdapterResult, { kind: 'result' }>;
  readonly redactor: Redactor;
  readonly notice: boolean;
}

const ALL_NOTES: readonly ScopeNote[] = [
  'TIME_ZONE_ASSUMED',
  'BYTES_REPLACED',
  'NEWEST_MINUTES_MAY_BE_MISSING',
  'ROWS_CUT_BY_SOURCE',
];

/**
 * Projects a raw result into the observation; null when the raw bytes are malformed. The same order
 * under a redactor in the same state gives the same bytes, which is how a record is verified.
 */
export function projectResult(order: ProjectionOrder): ProjectedCall | null {
  const { toolCallId, call, result, redactor, notice } = order;
  const widest: EvidenceHead = {
    toolCallId,
    evidenceStatus: 'EVIDENCE_FOUND',
    sourceKind: result.sourceKind,
    request: call.asked,
    window: result.window,
    notes: ALL_NOTES,
    truncated: false,
    notice: true,
  };
  const projection = call.project(result.raw, {
    window: result.window,
    redactor,
    maxBodyBytes: bodyBudget(widest),
  });
  if (projection.kind === 'malformed') return null;
  const { evidenceStatus, notes, truncated, body, facts } = projection;
  const head: EvidenceHead = { ...widest, evidenceStatus, notes, truncated, notice };
  return { head, facts, observation: evidenceObservation(head, body) };
}

/** Bytes left for the body beside the widest head it can have, so that a notice always fits. */
function bodyBudget(widest: EvidenceHead): number {
  const emptyBody: EvidenceBody = { evidence: [], skipped_count: 0 };
  const withEmptyBody = evidenceObservation(widest, emptyBody).bytes;
  return MAX_OBSERVATION_BYTES - withEmptyBody + JSON.stringify(emptyBody).length;
}
