import { type ToolCallId, toToolCallId } from '../../../shared/contracts/identifiers.ts';

/** What Bedrock takes for a tool use id. */
const PROVIDER_ID = /^[a-zA-Z0-9_.:-]{1,64}$/;

export type Minted =
  | { readonly kind: 'minted'; readonly toolCallId: ToolCallId }
  | {
      readonly kind: 'refused';
      readonly code: 'DUPLICATE_TOOL_CALL_ID' | 'MALFORMED_TOOL_CALL_ID';
    };

/**
 * Gives the tool calls of one conversation our own short ids, `call-1`, `call-2`, …, and keeps the
 * provider's, which goes back to the provider. Models copy short ids without slips.
 */
export class ToolCallIds {
  readonly #providerIds = new Map<string, string>();
  readonly #seen = new Set<string>();

  mint(providerId: string): Minted {
    if (!PROVIDER_ID.test(providerId)) return { kind: 'refused', code: 'MALFORMED_TOOL_CALL_ID' };
    if (this.#seen.has(providerId)) return { kind: 'refused', code: 'DUPLICATE_TOOL_CALL_ID' };
    this.#seen.add(providerId);
    const toolCallId = toToolCallId(this.#seen.size);
    this.#providerIds.set(toolCallId, providerId);
    return { kind: 'minted', toolCallId };
  }

  /** @throws RangeError for an id that was not minted here */
  providerIdOf(toolCallId: string): string {
    const providerId = this.#providerIds.get(toolCallId);
    if (providerId === undefined) throw new RangeError(`no such tool call: ${toolCallId}`);
    return providerId;
  }
}
