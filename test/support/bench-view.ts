import { vi } from 'vitest';
import type { AdapterResult } from '../../functions/diagnosis/evidence/tool-adapter.ts';
import { RunIdSchema } from '../../shared/contracts/identifiers.ts';
import type { Invocation } from '../../shared/contracts/invocation.ts';
import type { Bench } from './diagnosis-bench.ts';

/** The run of a test that has only one. */
export const THE_RUN = RunIdSchema.parse('run-1');
export const THE_REQUEST = { query: '为什么', run_id: THE_RUN };

/** A signal that nobody aborts. */
export function openSignal(): AbortSignal {
  return new AbortController().signal;
}

/** Resolves once the n-th request has reached the model. */
export async function modelAsked(bench: Bench, count: number): Promise<void> {
  await vi.waitUntil(() => bench.server.requests[count - 1]?.body != null);
}

/** The invocations of the run as the record has them. */
export function recordOf(bench: Bench): Promise<readonly Invocation[]> {
  return bench.store.readInvocations(THE_RUN, openSignal());
}

/** What the model was shown with its newest request. */
export function lastShown(bench: Bench): readonly unknown[] {
  const content = bench.server.requests.at(-1)?.body?.messages?.at(-1)?.content ?? [];
  return content.flatMap(({ toolResult }) => (toolResult?.content ?? []).map(({ json }) => json));
}

/** What a fake source's adapter returns for these lines. */
export function resultOf(...lines: readonly string[]): AdapterResult {
  const raw = new TextEncoder().encode(JSON.stringify(lines));
  const executed = { statement: 'asked', window: null, sources: [] };
  return { kind: 'result', raw, sourceKind: 'MOCK', window: null, executed };
}
