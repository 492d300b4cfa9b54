import { EnvelopeSchema } from '../../../shared/contracts/envelope.ts';
import { PLAYBOOK_TOOL_NAME, ReadSkillInputSchema } from '../../../shared/contracts/tool-inputs.ts';
import { cutUtf8, utf8Length } from '../../../shared/kernel/utf8.ts';
import type { EvidenceTool, PreparedCall } from '../evidence/evidence-tool.ts';
import type { ToolBoundary } from '../evidence/tool-boundary.ts';
import type { AskedCall } from '../run/call-verdict.ts';
import type { RequestedCall } from './model-answer.ts';

/** A call as it was read: what the run judges, and what would run. */
export interface ReadCall {
  readonly asked: AskedCall;
  readonly prepared: PreparedCall | null;
  /** The playbook that `read_skill` asks for, or null. */
  readonly skill: string | null;
}

/** The tools a run has. */
export interface Toolset {
  readonly evidence: readonly EvidenceTool[];
  readonly hasPlaybooks: boolean;
}

/** UTF-8 bytes of a business input as JSON: the scope repeats it, and evidence needs the room. */
const MAX_INPUT_BYTES = 4_096;
/** Paths named in one error observation. */
const MAX_FIELDS = 16;

/** Reads a call of the model without running anything of it. */
export function readCall(call: RequestedCall, toolset: Toolset, boundary: ToolBoundary): ReadCall {
  const { toolCallId } = call;
  if (call.name === PLAYBOOK_TOOL_NAME && toolset.hasPlaybooks) return readSkillCall(call);
  const tool = toolset.evidence.find(({ name }) => name === call.name);
  if (tool === undefined) return notRunnable(toolCallId, { kind: 'unknown' });
  const envelope = EnvelopeSchema.safeParse(call.input);
  if (!envelope.success) return invalid(toolCallId, envelopeFaults(envelope.error.issues));
  const checked = tool.prepare(envelope.data.input);
  if (checked.kind === 'invalid') return invalid(toolCallId, checked.fields);
  const prepared = checked.input;
  if (utf8Length(JSON.stringify(prepared.asked)) > MAX_INPUT_BYTES)
    return invalid(toolCallId, ['input']);
  const unknownMarks = boundary.unknownMarks(prepared.asked);
  if (unknownMarks.length > 0) return invalid(toolCallId, unknownMarks);
  const question = { toolName: prepared.toolName, ...prepared.equivalence };
  const given = envelope.data.previous_observation;
  return {
    asked: { toolCallId, ask: { kind: 'evidence', question, given } },
    prepared,
    skill: null,
  };
}

/** `previous_observation` of any call that is not a playbook read, as given. */
export function claimOf({ name, input, toolCallId }: RequestedCall) {
  const isEnvelope = typeof input === 'object' && input !== null && !Array.isArray(input);
  const given =
    isEnvelope && name !== PLAYBOOK_TOOL_NAME && 'previous_observation' in input
      ? input.previous_observation
      : undefined;
  return { toolCallId, given };
}

function readSkillCall({ toolCallId, input }: RequestedCall): ReadCall {
  const parsed = ReadSkillInputSchema.safeParse(input);
  if (!parsed.success) return invalid(toolCallId, ['name']);
  return {
    asked: { toolCallId, ask: { kind: 'playbook' } },
    prepared: null,
    skill: parsed.data.name,
  };
}

function invalid(toolCallId: RequestedCall['toolCallId'], fields: readonly string[]): ReadCall {
  const bounded = fields.slice(0, MAX_FIELDS).map((field) => cutUtf8(field.toWellFormed(), 128));
  return notRunnable(toolCallId, { kind: 'invalid', fields: bounded });
}

function notRunnable(toolCallId: RequestedCall['toolCallId'], ask: AskedCall['ask']): ReadCall {
  return { asked: { toolCallId, ask }, prepared: null, skill: null };
}

/** Which parts of the envelope are wrong; a bare business input lacks its `input`. */
function envelopeFaults(issues: readonly { readonly path: readonly PropertyKey[] }[]): string[] {
  const paths = issues.map(({ path }) => (path.length === 0 ? 'input' : path.join('.')));
  return [...new Set(paths)];
}
