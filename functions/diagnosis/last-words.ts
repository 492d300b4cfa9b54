import { utf8Length } from '../../shared/kernel/utf8.ts';
import type { PlaybookReader } from './agent/playbooks.ts';
import { guardDraft } from './draft/draft-guard.ts';
import { parseDraft } from './draft/draft-parser.ts';
import type { ToolBoundary } from './evidence/tool-boundary.ts';
import type { RunContext } from './run/run-context.ts';
import { type RunEnding, toFailure } from './run-ending.ts';

/** What the last words of a run are held against. */
export interface LastWordsTerms {
  readonly run: RunContext;
  readonly boundary: ToolBoundary;
  readonly playbooks: PlaybookReader;
  readonly requireQuotes: boolean;
}

/** Strict parse, then the guard. No repair, no second call. */
export function judgeLastWords(
  lastWords: string,
  { run, boundary, playbooks, requireQuotes }: LastWordsTerms,
): RunEnding {
  const parsed = parseDraft(lastWords);
  if (parsed.kind === 'refused') {
    return { kind: 'failed', failure: toFailure('OUTPUT_REFUSED', parsed.code) };
  }
  const calls = boundary.settledCalls;
  const settled = new Set<string>(calls.map(({ toolCallId }) => toolCallId));
  const verdict = guardDraft(parsed.draft, {
    calls,
    otherCallIds: run.toolCallIds.filter((toolCallId) => !settled.has(toolCallId)),
    playbookTexts: playbooks.texts,
    requireQuotes,
  });
  if (verdict.kind === 'refused') {
    return { kind: 'failed', failure: toFailure('EVIDENCE_REJECTED', verdict.code) };
  }
  if (!run.budget.acceptDraft(utf8Length(lastWords))) {
    return { kind: 'stopped', reason: run.progress.stop('BYTES_EXHAUSTED') };
  }
  return { kind: 'completed', draft: parsed.draft, grounding: verdict.grounding };
}
