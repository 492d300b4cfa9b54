import { guardDraft } from '../../../functions/diagnosis/draft/draft-guard.ts';
import { parseDraft } from '../../../functions/diagnosis/draft/draft-parser.ts';
import { toToolCallId } from '../../../shared/contracts/identifiers.ts';
import {
  documents,
  failed,
  logs,
  PAYMENT_PLAYBOOK,
  playbook,
  rows,
  stopped,
} from './observations.ts';
import { type Asked, type Json, play } from './offline-play.ts';

export const QUERY = '下单后一直停在支付中，支付超时，帮忙看看';
export const LOCK_EVENT =
  '2026-11-30T08:10:02.118Z ERROR [payment-service] pay 9001 failed: Lock wait timeout exceeded; try restarting transaction';
export const LOCK_ROW = 'waiting_pid=41 blocking_pid=17 wait_seconds=48 locked_table=t_payment';
export const SLOW_EVENT =
  '2026-11-30T08:09:00Z WARN pay channel A: java.net.SocketTimeoutException: Read timed out';

export interface Incident {
  readonly events?: readonly string[];
  readonly patterns?: readonly Json[];
  readonly lockRows?: readonly string[] | 'failed';
  readonly stateRows?: readonly string[] | 'stopped';
  readonly excerpts?: readonly string[];
  readonly query?: string;
  readonly skill?: string;
}

/** Plays an incident, and holds the draft against the real parser and guard. */
export async function diagnose(incident: Incident) {
  const { query = QUERY, skill = PAYMENT_PLAYBOOK } = incident;
  const settled: { asked: Asked; observation: Json }[] = [];
  const reply = (asked: Asked): Json => {
    const observation = observe(asked, { ...incident, skill });
    settled.push({ asked, observation });
    return observation;
  };
  const { text } = await play({ query, reply });
  const parsed = parseDraft(text);
  if (parsed.kind === 'refused') throw new Error(parsed.code);
  const calls = settled.flatMap(({ asked, observation }, index) =>
    observation['evidence_status'] === undefined || observation['evidence_status'] === 'ERROR'
      ? []
      : [
          {
            toolCallId: toToolCallId(index + 1),
            toolName: asked.toolName as 'query_logs', // One of the three: the playbook call has no status.
            evidenceStatus: observation['evidence_status'] as 'EVIDENCE_FOUND',
            observation: JSON.stringify(observation),
          },
        ],
  );
  const verdict = guardDraft(parsed.draft, {
    calls,
    otherCallIds: [],
    playbookTexts: [skill],
    requireQuotes: true,
  });
  return { draft: parsed.draft, verdict };
}

function observe(asked: Asked, incident: Incident): Json {
  const { events = [], patterns = [], lockRows = [], stateRows = [], excerpts = [] } = incident;
  switch (asked.toolName) {
    case 'read_skill':
      return playbook('diagnose-payment-timeout', incident.skill ?? '');
    case 'query_logs':
      return logs(asked, events, patterns);
    case 'query_mysql':
      return isAbout(asked, 'lock_waits')
        ? lockObservation(asked, lockRows)
        : stateObservation(asked, stateRows);
    case 'lookup_knowledge':
      return documents(asked, excerpts);
    default:
      return failed('UNKNOWN_TOOL');
  }
}

function isAbout({ envelope }: Asked, queryName: string): boolean {
  return JSON.stringify(envelope).includes(queryName);
}

function lockObservation(asked: Asked, lines: readonly string[] | 'failed'): Json {
  return lines === 'failed' ? failed('SOURCE_FAILED') : rows(asked, lines);
}

function stateObservation(asked: Asked, lines: readonly string[] | 'stopped'): Json {
  return lines === 'stopped' ? stopped : rows(asked, lines);
}
