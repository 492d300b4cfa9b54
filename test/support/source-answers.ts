import type { AdapterResult } from '../../functions/diagnosis/evidence/tool-adapter.ts';
import { FAKE_FACT } from './drafts.ts';

/** One line of evidence, as a source answers it. */
export function aResult(): AdapterResult {
  const raw = new TextEncoder().encode(
    JSON.stringify([`${FAKE_FACT}; try restarting transaction`]),
  );
  const executed = { statement: null, window: null, sources: [] };
  return { kind: 'result', raw, sourceKind: 'MOCK', window: null, executed };
}

/** A source that answers nothing and gives up when it is told to. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
