import type {
  BedrockAgentRuntimeClient,
  RetrieveCommandInput,
} from '@aws-sdk/client-bedrock-agent-runtime';
import type { BedrockKnowledgeBase } from '../../../../shared/contracts/configuration.ts';
import type { Executed } from '../../../../shared/contracts/step.ts';
import type { LookupKnowledgeInput } from '../../../../shared/contracts/tool-inputs.ts';
import type { AdapterResult, CallContext, ToolAdapter } from '../../evidence/tool-adapter.ts';
import { sourceCodeOfAws } from '../aws-failure.ts';
import { readHits } from './knowledge-base-hits.ts';
import { encodeKnowledgeResult } from './knowledge-result.ts';

/** Which knowledge base is asked. */
export interface KnowledgeBaseOptions {
  readonly knowledgeBase: BedrockKnowledgeBase;
  /** Told of faults by the name of the SDK's error. */
  readonly reportFault: (fault: { readonly name: string }) => void;
}

/** Hits of one call: more than the five documents an observation shows, several may be of one document. */
const MAX_HITS = 20;

/** Bytes of a raw result before compression. */
const MAX_RAW_BYTES = 32 * 1_024 * 1_024;

/** Silence after which a request is given up, connecting included; milliseconds. */
const IDLE_TIMEOUT_MS = 30_000;

/** Searches a Bedrock Knowledge Base. One request for each call; the SDK is loaded at the first. */
export class KnowledgeBaseAdapter implements ToolAdapter<LookupKnowledgeInput> {
  readonly #options: KnowledgeBaseOptions;
  #client: BedrockAgentRuntimeClient | undefined;

  constructor(options: KnowledgeBaseOptions) {
    this.#options = options;
  }

  async call({ query }: LookupKnowledgeInput, { signal }: CallContext): Promise<AdapterResult> {
    const { knowledgeBase, reportFault } = this.#options;
    const executed = executedOf(knowledgeBase);
    try {
      const { RetrieveCommand } = await import('@aws-sdk/client-bedrock-agent-runtime');
      const client = await this.#open();
      signal.throwIfAborted();
      const answer = await client.send(new RetrieveCommand(toRequest(knowledgeBase, query)), {
        abortSignal: signal,
      });
      return resultOf(readHits(answer.retrievalResults ?? []), executed);
    } catch (error) {
      signal.throwIfAborted();
      reportFault({ name: error instanceof Error ? error.name : 'Error' });
      return { kind: 'failed', code: sourceCodeOfAws(error), executed };
    }
  }

  async #open(): Promise<BedrockAgentRuntimeClient> {
    if (this.#client !== undefined) return this.#client;
    const { BedrockAgentRuntimeClient } = await import('@aws-sdk/client-bedrock-agent-runtime');
    const { region, endpoint } = this.#options.knowledgeBase;
    this.#client = new BedrockAgentRuntimeClient({
      ...(region !== undefined && { region }),
      ...(endpoint !== undefined && { endpoint }),
      maxAttempts: 1,
      // One connection for each request: one kept over a frozen process may be dead.
      requestHandler: { requestTimeout: IDLE_TIMEOUT_MS, disableConcurrentStreams: true },
    });
    return this.#client;
  }
}

function toRequest(
  { knowledge_base_id, search_type }: BedrockKnowledgeBase,
  query: string,
): RetrieveCommandInput {
  return {
    knowledgeBaseId: knowledge_base_id,
    retrievalQuery: { text: query },
    retrievalConfiguration: {
      vectorSearchConfiguration: {
        numberOfResults: MAX_HITS,
        ...(search_type !== undefined && { overrideSearchType: search_type }),
      },
    },
  };
}

function executedOf({ knowledge_base_id, search_type }: BedrockKnowledgeBase): Executed {
  return {
    // Not the query itself: its marks are resolved here, and a step keeps them in place.
    statement: `Retrieve ${search_type ?? 'default search'}, at most ${MAX_HITS} results`,
    window: null,
    sources: [knowledge_base_id],
  };
}

function resultOf(result: ReturnType<typeof readHits>, executed: Executed): AdapterResult {
  const raw = encodeKnowledgeResult(result);
  if (raw.byteLength > MAX_RAW_BYTES) return { kind: 'failed', code: 'RAW_TOO_LARGE', executed };
  return { kind: 'result', raw, sourceKind: 'BEDROCK_KNOWLEDGE_BASE', window: null, executed };
}
