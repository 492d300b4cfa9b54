import type { DiagnosisOutcome } from '../../../shared/contracts/diagnosis-outcome.ts';
import type { TokenUsage } from '../../../shared/contracts/step.ts';
import { utf8Length } from '../../../shared/kernel/utf8.ts';
import { SETTLING_RESERVE_MS } from '../../diagnosis/run/deadline.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';
import { stepsOf } from './record-views.ts';

/** The account of the run is the sum of what its steps say, and within its limits. */
export function doubtsOfBudget(record: WholeRecord): readonly string[] {
  const { outcome } = record;
  if (outcome === null) return [];
  const doubts = new Doubts();
  checkCounts(record, outcome, doubts);
  checkTokens(record, outcome, doubts);
  checkBytes(record, outcome, doubts);
  const tookMs = Date.parse(outcome.finished_at) - Date.parse(outcome.started_at);
  doubts.unless(outcome.usage.time_ms === tookMs, 'its time is not the time between start and end');
  const longestMs = outcome.usage.limits.time_ms + SETTLING_RESERVE_MS;
  doubts.unless(
    outcome.status !== 'COMPLETED' || tookMs <= longestMs,
    'it took longer than it may',
  );
  return doubts.all;
}

function checkCounts(
  { run, invocations }: WholeRecord,
  outcome: DiagnosisOutcome,
  doubts: Doubts,
): void {
  const { limits, model_calls, tool_calls } = outcome.usage;
  // A round refused at the gate and a call that could not be opened are counted and leave nothing.
  const slack = outcome.status === 'COMPLETED' ? 0 : 1;
  doubts.unless(model_calls <= limits.model_calls, 'more rounds than the limit');
  doubts.unless(tool_calls <= limits.tool_calls, 'more tool calls than the limit');
  doubts.unless(isWithin(model_calls - run.rounds, slack), 'it counts other rounds than the run');
  doubts.unless(
    isWithin(tool_calls - invocations.length, slack),
    'it counts other tool calls than are kept',
  );
}

const TOKEN_FIELDS = [
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
] as const satisfies readonly (keyof TokenUsage)[];

function checkTokens(record: WholeRecord, outcome: DiagnosisOutcome, doubts: Doubts): void {
  const { usage, failure } = outcome;
  const rounds = stepsOf(record, 'ROUND').map(({ detail }) => detail.usage);
  // Where a step could not be kept, the account may hold what no step says.
  const mayLack = failure?.code === 'STORE_FAILED' || failure?.code === 'AGENT_FAILED';
  for (const field of TOKEN_FIELDS) {
    const sum = rounds.reduce((total, round) => total + (round?.[field] ?? 0), 0);
    const holds = mayLack ? usage[field] >= sum : usage[field] === sum;
    doubts.unless(holds, `its ${field} are not the sum of its rounds'`);
  }
  const silent = rounds.filter((round) => round === null).length;
  const unknown = failure?.code === 'RUN_ABANDONED' ? record.run.rounds - rounds.length : 0;
  const isCounted = mayLack || usage.rounds_without_usage === silent + unknown;
  doubts.unless(isCounted, 'it counts other rounds without usage');

  const beforeLast = rounds
    .slice(0, -1)
    .flatMap((round) => TOKEN_FIELDS.map((field) => round?.[field] ?? 0));
  const spent = beforeLast.reduce((total, tokens) => total + tokens, 0);
  doubts.unless(spent < usage.limits.tokens, 'a round began with no tokens left');
}

/** The bytes of control answers and of white space in the last words are kept nowhere, so it can be more. */
function checkBytes(record: WholeRecord, { usage, draft }: DiagnosisOutcome, doubts: Doubts): void {
  const { query, previous_turn } = record.request;
  const message = utf8Length(JSON.stringify({ query, previous_turn: previous_turn ?? null }));
  const shown = stepsOf(record, 'TOOL_CALL').reduce(
    (total, { detail }) => total + detail.observation_bytes,
    0,
  );
  const words = draft === null ? 0 : utf8Length(JSON.stringify(draft));
  doubts.unless(usage.bytes >= message + shown + words, 'it counts fewer bytes than were shown');
  doubts.unless(draft === null || usage.bytes <= usage.limits.bytes, 'more bytes than the limit');
}

function isWithin(difference: number, slack: number): boolean {
  return difference >= 0 && difference <= slack;
}
