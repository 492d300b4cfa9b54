import type { KnowledgeBaseRetrievalResult } from '@aws-sdk/client-bedrock-agent-runtime';
import { vi } from 'vitest';
import type {
  AdapterResult,
  CallContext,
} from '../../../../functions/diagnosis/evidence/tool-adapter.ts';
import { KnowledgeBaseAdapter } from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-base-adapter.ts';
import { decodeKnowledgeResult } from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-result.ts';
import { type RetrieveAnswer, startKnowledgeBase } from '../../../support/knowledge-base-server.ts';

export const QUERY = '支付回调 timeout';
export const TEXT = { type: 'TEXT', text: '支付回调超时时，先看渠道的延迟。' } as const;

/** An answer with these hits. */
export function resultsOf(retrievalResults: KnowledgeBaseRetrievalResult[]): RetrieveAnswer {
  return { kind: 'results', response: { retrievalResults } };
}

/** An adapter on a stand-in that gives one answer to everything. */
export async function anAdapter(
  answer: RetrieveAnswer,
  differing: { readonly search_type?: 'HYBRID'; readonly endpoint?: string } = {},
) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-canary-5Lm');
  const server = await startKnowledgeBase(answer);
  const faults: string[] = [];
  const adapter = new KnowledgeBaseAdapter({
    knowledgeBase: {
      kind: 'BEDROCK_KNOWLEDGE_BASE',
      knowledge_base_id: 'KB12345678',
      region: 'eu-central-1',
      endpoint: server.url,
      ...differing,
    },
    reportFault: ({ name }) => faults.push(name),
  });
  const ask = (signal?: AbortSignal) => adapter.call({ query: QUERY }, aContext(signal));
  return { ask, server, faults };
}

/** The chunk that one hit becomes. */
export async function chunkOf(hit: KnowledgeBaseRetrievalResult) {
  const { ask } = await anAdapter(resultsOf([hit]));
  return contentOf(await ask())?.chunks[0];
}

function aContext(signal = new AbortController().signal): CallContext {
  return { signal, asOf: 0, bindings: {}, atRunEnd: new AsyncDisposableStack() };
}

export function contentOf(result: AdapterResult) {
  return decodeKnowledgeResult(rawOf(result));
}

export function rawOf(result: AdapterResult): Uint8Array {
  return result.kind === 'result' ? result.raw : new Uint8Array();
}
