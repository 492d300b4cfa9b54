import type { Invocation } from '../../../shared/contracts/invocation.ts';
import { sha256Hex } from '../../../shared/kernel/canonical-json.ts';
import { createRedactor, type Redactor } from '../../../shared/redaction/redactor.ts';
import { packRaw } from '../../../shared/store/raw-result.ts';
import type { EvidenceTool, PreparedCall } from '../../diagnosis/evidence/evidence-tool.ts';
import { projectResult } from '../../diagnosis/evidence/projected-call.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { type Finding, foundBy } from './doubts.ts';
import { callStep, jsonOf, sameJson, shownEvidence } from './record-views.ts';
import { type StatementSources, statementOf } from './statement-again.ts';

/** What the observations of a run can be made from once more. */
export interface ProjectionSources extends StatementSources {
  /** Projectors by tool name; the inputs of a record were checked when they were asked. */
  readonly tools: readonly EvidenceTool[];
  /** The adapter's exact bytes as they are kept, or null when they are no longer. */
  readonly rawOf: (toolCallId: string) => Uint8Array | null;
}

/**
 * Makes every observation again out of its raw result, in the order of the calls and with a fresh
 * redactor, and compares the bytes: the model was shown this and nothing else.
 */
export function checkProjection(record: WholeRecord, sources: ProjectionSources): Finding {
  const { query, previous_turn } = record.request;
  const redactor = createRedactor({ query, previousTurn: JSON.stringify(previous_turn ?? null) });
  const doubts: string[] = [];
  let made = 0;
  for (const invocation of record.invocations) {
    const raw = rawOf(invocation, sources);
    if (raw.kind === 'gone') {
      const why = `the raw result of ${invocation.tool_call_id} is no longer kept`;
      return doubts.length > 0 ? foundBy('projection', '', doubts) : notChecked(why);
    }
    if (raw.kind === 'kept') {
      doubts.push(...doubtsOfRaw(invocation, raw.bytes));
      doubts.push(...doubtsOfObservation(invocation, raw.bytes, { redactor, sources }));
      made += 1;
    }
    doubts.push(...doubtsOfStatement(record, invocation, { redactor, sources }));
  }
  return foundBy('projection', `${made} observations made again from their raw results`, doubts);
}

function notChecked(why: string): Finding {
  return { name: 'projection', kind: 'not_checked', why };
}

type Raw =
  | { readonly kind: 'kept'; readonly bytes: Uint8Array }
  | { readonly kind: 'none' | 'gone' };

function rawOf(invocation: Invocation, { rawOf: read }: ProjectionSources): Raw {
  if (invocation.status === 'OPEN' || invocation.raw === null) return { kind: 'none' };
  const bytes = read(invocation.tool_call_id);
  return bytes === null ? { kind: 'gone' } : { kind: 'kept', bytes };
}

function doubtsOfRaw(invocation: Invocation, bytes: Uint8Array): readonly string[] {
  if (invocation.status === 'OPEN' || invocation.raw === null) return [];
  const packed = packRaw(bytes);
  const isSame = packed.kind === 'packed' && sameJson(packed.raw.reference, invocation.raw);
  if (isSame) return [];
  const isHashed = sha256Hex(bytes) === invocation.raw.sha256;
  const what = isHashed ? 'its size' : 'its hash';
  return [`the raw result of ${invocation.tool_call_id} does not match ${what}`];
}

interface Making {
  readonly redactor: Redactor;
  readonly sources: ProjectionSources;
}

function doubtsOfObservation(
  invocation: Invocation,
  raw: Uint8Array,
  { redactor, sources }: Making,
): readonly string[] {
  const call = preparedCall(invocation, sources.tools);
  if (call === null)
    return [`the input of ${invocation.tool_call_id} is not one that it could have run`];
  const shown = invocation.status === 'READY' ? invocation : null;
  const again = projectedAgain(invocation, raw, { call, redactor });
  // A result that could not be projected then, still mints marks; it showed nothing to compare with.
  if (shown === null || again === shown.observation) return [];
  return [`the observation of ${invocation.tool_call_id} is not what its raw result gives`];
}

function projectedAgain(
  invocation: Invocation,
  raw: Uint8Array,
  { call, redactor }: { readonly call: PreparedCall; readonly redactor: Redactor },
): string | null {
  const head = headOf(invocation);
  try {
    const projected = projectResult({
      toolCallId: invocation.tool_call_id,
      call,
      result: {
        kind: 'result',
        raw,
        sourceKind: head.sourceKind,
        window: head.window,
        executed: { statement: null, window: head.window, sources: [] },
      },
      redactor,
      notice: head.notice,
    });
    return projected?.observation.text ?? null;
  } catch {
    return null; // the boundary takes a projector that throws for a malformed result, too
  }
}

/** What an observation says of its source; the raw result does not repeat it. */
function headOf(invocation: Invocation) {
  const shown = invocation.status === 'READY' ? shownEvidence(invocation) : null;
  if (shown === null) return { sourceKind: 'MOCK', window: null, notice: false } as const;
  const { source_kind: sourceKind, scope, control } = shown;
  return { sourceKind, window: scope.window, notice: control === 'STOP_REQUIRED' };
}

function preparedCall(invocation: Invocation, tools: readonly EvidenceTool[]): PreparedCall | null {
  const tool = tools.find(({ name }) => name === invocation.tool_name);
  const prepared = tool?.prepare(jsonOf(invocation.input));
  return prepared?.kind === 'valid' ? prepared.input : null;
}

/**
 * What ran is redacted after the observation and can mint marks as well, so it is made again in its turn
 * and compared with what the record says of it.
 */
function doubtsOfStatement(
  record: WholeRecord,
  invocation: Invocation,
  { redactor, sources }: Making,
): readonly string[] {
  const told = callStep(record, invocation.tool_call_id)?.detail.executed ?? null;
  if (told === null) return [];
  const again = statementOf(invocation, redactor, sources) ?? told.statement;
  const statement = again === null ? null : redactor.redact(again);
  for (const source of told.sources) redactor.redact(source);
  if (statement === told.statement) return [];
  return [`${invocation.tool_call_id} ran another statement than its input gives`];
}
