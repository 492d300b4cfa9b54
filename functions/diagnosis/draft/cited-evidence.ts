import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { EvidenceToolName } from '../../../shared/contracts/tool-inputs.ts';
import { type QuotableString, quotableStrings } from './quotable-strings.ts';

/** A READY invocation of the run: all that a draft may cite. */
export interface SettledCall {
  readonly toolCallId: ToolCallId;
  readonly toolName: EvidenceToolName;
  readonly evidenceStatus: 'EVIDENCE_FOUND' | 'NO_EVIDENCE';
  /** The exact JSON the model was shown. */
  readonly observation: string;
}

/** A settled call with its observation read. */
export interface Evidence {
  readonly toolCallId: ToolCallId;
  readonly isFound: boolean;
  /** True of what logs and tables show; knowledge says what may be, not what was. */
  readonly isOfThisIncident: boolean;
  readonly observation: unknown;
  readonly quotable: readonly QuotableString[];
  readonly excerpts: readonly string[];
}

/**
 * The evidence of a run by tool call id.
 *
 * @throws SyntaxError when an observation is not JSON; the boundary never hands on such a one.
 */
export function readEvidence(calls: readonly SettledCall[]): ReadonlyMap<string, Evidence> {
  return new Map(calls.map((call) => [call.toolCallId, read(call)]));
}

function read({ toolCallId, toolName, evidenceStatus, observation }: SettledCall): Evidence {
  const content: unknown = JSON.parse(observation);
  const quotable = quotableStrings(content);
  const isFound = evidenceStatus === 'EVIDENCE_FOUND';
  return {
    toolCallId,
    isFound,
    isOfThisIncident: isFound && toolName !== 'lookup_knowledge',
    observation: content,
    quotable,
    excerpts: quotable.filter(({ path }) => path.endsWith('.excerpt')).map(({ text }) => text),
  };
}
