import wrapAnsi from 'wrap-ansi';
import type { AnalysisItem, DiagnosisDraft } from '../../shared/contracts/diagnosis-draft.ts';
import type {
  DiagnosisOutcome,
  GroundedItem,
  Grounding,
} from '../../shared/contracts/diagnosis-outcome.ts';
import type { ProgressSnapshot } from '../../shared/contracts/progress-snapshot.ts';
import { labelsFor, type ReportLabels } from './report-labels.ts';
import { type colours, printable } from './terminal.ts';

type Paint = ReturnType<typeof colours>;

/** The outcome as a person reads it: what was found first, the account of the run last. */
export function renderReport(
  outcome: DiagnosisOutcome,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const page = new Page({ labels: labelsFor(outcome.query), paint, columns });
  page.paragraph(outcome.query, paint.dim);
  if (outcome.status === 'COMPLETED') writeDraft(page, outcome.draft, outcome.grounding);
  else writeEnding(page, outcome);
  writeAccount(page, outcome);
  return page.text();
}

/** Lines of a report, wrapped with an eye on wide characters. */
class Page {
  readonly labels: ReportLabels;
  readonly paint: Paint;
  readonly #columns: number;
  readonly #lines: string[] = [];

  constructor({
    labels,
    paint,
    columns,
  }: { readonly labels: ReportLabels; readonly paint: Paint; readonly columns: number }) {
    this.labels = labels;
    this.paint = paint;
    this.#columns = columns;
  }

  gap(): void {
    this.#lines.push('');
  }

  heading(text: string): void {
    this.#lines.push('', this.paint.bold(text));
  }

  paragraph(text: string, paint: (text: string) => string = (plain) => plain): void {
    this.#wrapped(text, '', '', paint);
  }

  /** A text behind a marker, its further lines under its first. */
  item(marker: string, text: string, paint: (text: string) => string = (plain) => plain): void {
    this.#wrapped(text, marker, ' '.repeat(marker.length), paint);
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  #wrapped(text: string, first: string, further: string, paint: (text: string) => string): void {
    const wrapped = wrapAnsi(printable(text), this.#columns - further.length, {
      hard: true,
      trim: true,
    });
    for (const [index, line] of wrapped.split('\n').entries()) {
      this.#lines.push(`${index === 0 ? first : further}${paint(line)}`);
    }
  }
}

function writeDraft(page: Page, draft: DiagnosisDraft, grounding: Grounding): void {
  const { labels, paint } = page;
  page.heading(labels.conclusion[grounding.conclusion]);
  page.item(
    '  ',
    draft.conclusion ?? labels.noConclusion,
    draft.conclusion === null ? paint.yellow : paint.green,
  );
  if (draft.conclusion === null) writeLimitations(page, draft);
  if (draft.analysis.length > 0) page.heading(labels.analysis);
  for (const [index, item] of draft.analysis.entries()) {
    writeItem(page, item, grounding.items[index]);
  }
  writeList(page, labels.actionPlan, draft.action_plan);
  writeList(page, labels.recommendations, draft.recommendations);
  if (draft.conclusion !== null) writeLimitations(page, draft);
  if (grounding.conclusion === 'QUOTED') {
    page.gap();
    page.paragraph(labels.proof, paint.dim);
  }
}

function writeItem(page: Page, item: AnalysisItem, grounded: GroundedItem | undefined): void {
  const { labels, paint } = page;
  page.item('  • ', item.statement);
  page.item('    ', `${labels.type[item.type]}: ${item.tool_call_ids.join(', ')}`, paint.dim);
  for (const [index, quote] of (item.quotes ?? []).entries()) {
    const place = grounded?.quotes[index]?.path ?? '';
    page.item('    │ ', `${quote.tool_call_id} ${place}: ${quote.text}`, paint.cyan);
  }
  const unmatched = grounded?.unmatched_terms ?? [];
  if (unmatched.length > 0)
    page.item('    ! ', `${labels.unmatched}: ${unmatched.join(', ')}`, paint.yellow);
}

function writeLimitations(page: Page, { limitations }: DiagnosisDraft): void {
  writeList(page, page.labels.missingInfo, limitations.missing_info);
  writeList(page, page.labels.checkedScope, limitations.checked_scope);
}

function writeList(page: Page, heading: string, texts: readonly string[]): void {
  if (texts.length === 0) return;
  page.heading(heading);
  for (const text of texts) page.item('  • ', text);
}

function writeEnding(
  page: Page,
  outcome: Exclude<DiagnosisOutcome, { status: 'COMPLETED' }>,
): void {
  const { labels, paint } = page;
  page.heading(labels.status[outcome.status]);
  const reason =
    outcome.failure === null
      ? outcome.stop_reason
      : `${outcome.failure.code} / ${outcome.failure.detail_code}`;
  page.item('  ', reason ?? '', paint.red);
  if (outcome.failure?.rerunnable === true) page.item('  ', labels.rerunnable);
  writeProgress(page, outcome.progress);
}

function writeProgress(page: Page, progress: ProgressSnapshot | null): void {
  const { labels, paint } = page;
  page.heading(labels.progress);
  if (progress === null) page.item('  ', labels.nothingChecked);
  for (const check of progress?.checks ?? []) {
    const request = JSON.stringify(check.scope.request);
    page.item(
      '  • ',
      `${check.tool_call_id} ${check.tool_name} ${request}: ${check.evidence_status}`,
    );
    for (const fact of check.facts) page.item('    │ ', fact, paint.cyan);
  }
}

function writeAccount(page: Page, outcome: DiagnosisOutcome): void {
  const { labels, paint } = page;
  const { usage } = outcome;
  const tokens =
    usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
  const counts = labels.counts(
    usage.model_calls,
    usage.tool_calls,
    tokens,
    (usage.time_ms / 1_000).toFixed(1),
  );
  page.heading(`${labels.run} ${outcome.run_id}  ${outcome.status}`);
  page.paragraph(`${labels.asOf} ${outcome.as_of}; ${counts}`, paint.dim);
  if (outcome.stop_reason !== null) {
    page.paragraph(`${labels.stopReason}: ${outcome.stop_reason}`, paint.dim);
  }
}
