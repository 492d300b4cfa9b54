import type { PlaybookCatalog } from '../../diagnosis/agent/playbooks.ts';
import type { QueryCatalog } from '../../diagnosis/tools/query-mysql/query-catalog.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { doubtsOfBudget } from './budget-check.ts';
import { type Finding, foundBy } from './doubts.ts';
import { doubtsOfDraft } from './draft-check.ts';
import { doubtsOfIds } from './ids-check.ts';
import { doubtsOfInvocations } from './invocations-check.ts';
import { doubtsOfOutcome } from './outcome-check.ts';
import { checkProjection } from './projection-check.ts';
import { projectingTools } from './projectors.ts';
import { doubtsOfRequest } from './request-check.ts';
import { doubtsOfSeal } from './seal-check.ts';
import { doubtsOfSteps } from './steps-check.ts';

/** What is at hand beside the record. */
export interface AtHand {
  /** The playbooks and queries of this checkout; used where the run ran with the very same. */
  readonly playbooks: PlaybookCatalog;
  readonly catalog: QueryCatalog;
  /** Raw results by tool call id, null where none are kept; null where they are out of reach. */
  readonly rawOf: ((toolCallId: string) => Uint8Array | null) | null;
}

/**
 * Checks a record without any trust in who wrote it: whatever can be computed again is, and compared.
 * A record that makes a check itself fail is a doubt as well.
 */
export function verifyRecord(record: WholeRecord, atHand: AtHand): readonly Finding[] {
  const { run, steps, invocations } = record;
  return [
    made('seal', 'as it was when it was settled', () => doubtsOfSeal(record)),
    made(
      'ids',
      `${steps.length} steps and ${invocations.length} invocations of one run and one writer`,
      () => doubtsOfIds(record),
    ),
    made('request', 'the one that the run was opened with', () => doubtsOfRequest(record)),
    made('steps', `${run.rounds} rounds in order, every call answered once`, () =>
      doubtsOfSteps(record),
    ),
    made('invocations', 'settled, and shown word for word as their hashes say', () =>
      doubtsOfInvocations(record),
    ),
    made('budget', 'the sum of its steps, within its limits', () => doubtsOfBudget(record)),
    made('outcome', 'what the record says of the run', () => doubtsOfOutcome(record)),
    draftFinding(record, atHand),
    projectionFinding(record, atHand),
  ];
}

function draftFinding(record: WholeRecord, { playbooks }: AtHand): Finding {
  const { outcome, run } = record;
  if (outcome?.status !== 'COMPLETED') {
    return { name: 'draft', kind: 'not_checked', why: 'the run published none' };
  }
  const theirs = playbooks.sha256 === run.identity.playbooks_sha256 ? playbooks : null;
  return made('draft', 'accepted by the guard once more, quote for quote', () =>
    doubtsOfDraft(record, outcome, theirs),
  );
}

function projectionFinding(record: WholeRecord, { catalog, rawOf }: AtHand): Finding {
  if (rawOf === null) {
    return { name: 'projection', kind: 'not_checked', why: 'the raw results are not at hand' };
  }
  const theirs = catalog.hash() === record.run.identity.catalog_sha256 ? catalog : null;
  try {
    return checkProjection(record, { rawOf, catalog: theirs, tools: projectingTools() });
  } catch {
    return foundBy('projection', '', ['a raw result is damaged']);
  }
}

function made(name: Finding['name'], what: string, check: () => readonly string[]): Finding {
  try {
    return foundBy(name, what, check());
  } catch {
    return foundBy(name, what, ['the record makes this check fail']);
  }
}
