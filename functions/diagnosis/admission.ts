import {
  type BudgetRequest,
  LIMIT_RANGES,
  type Limits,
  type Resource,
} from '../../shared/contracts/budget.ts';
import {
  type Bindings,
  type DiagnosisRequest,
  DiagnosisRequestSchema,
  MAX_USER_MESSAGE_BYTES,
} from '../../shared/contracts/diagnosis-request.ts';
import {
  type RunId,
  RunIdSchema,
  type SessionId,
  SessionIdSchema,
} from '../../shared/contracts/identifiers.ts';
import type { PreviousTurn } from '../../shared/contracts/previous-turn.ts';
import { canonicalJson, sha256Hex } from '../../shared/kernel/canonical-json.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';
import { utf8Length } from '../../shared/kernel/utf8.ts';
import { userMessage } from './agent/prompt.ts';

/** A request that may run: complete, checked, and unchanged in every word. */
export interface AdmittedRequest {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly query: string;
  readonly previousTurn: PreviousTurn | null;
  /** Epoch milliseconds. */
  readonly asOf: number;
  readonly bindings: Bindings;
  readonly limits: Limits;
  /** The one user message, as it is sent. */
  readonly userMessage: string;
  /** The request as canonical JSON, without its run id, and the SHA-256 of that. */
  readonly canonical: string;
  readonly sha256: string;
}

/** What admission knows beside the event. */
export interface AdmissionTerms {
  /** Serves as the run id of a request that brings none; Lambda keeps it across its own retries. */
  readonly requestId: string;
  readonly now: number;
  readonly limits: Limits;
}

/** Windows that reach back behind the year 0 have no RFC 3339 form, and a record of them no reader. */
const EARLIEST_AS_OF = Date.parse('0001-01-01T00:00:00Z');

/** Paths named in one refusal; more would not be read. */
const MAX_FAULTS = 5;

/**
 * Parses an event strictly. Nothing is rewritten, cut or clamped.
 *
 * @throws HarnessError `INVALID_REQUEST` naming the paths at fault, never their content
 */
export function admitRequest(event: unknown, terms: AdmissionTerms): AdmittedRequest {
  const parsed = DiagnosisRequestSchema.safeParse(event);
  if (!parsed.success) throw refused(parsed.error.issues.map(faultOf));
  const request = parsed.data;
  const runId = request.run_id ?? RunIdSchema.parse(terms.requestId);
  const previousTurn = request.previous_turn ?? null;
  const message = userMessage(request.query, previousTurn);
  if (utf8Length(message) > MAX_USER_MESSAGE_BYTES) {
    throw refused([
      `query and previous_turn: must have at most ${MAX_USER_MESSAGE_BYTES} UTF-8 bytes as JSON`,
    ]);
  }
  const canonical = canonicalJson({
    ...request,
    run_id: undefined,
    previous_turn: request.previous_turn ?? undefined,
  });
  return {
    runId,
    sessionId: request.session_id ?? SessionIdSchema.parse(runId),
    query: request.query,
    previousTurn,
    asOf: asOfOf(request, terms.now),
    bindings: request.bindings ?? {},
    limits: limitsOf(request.budget ?? {}, terms.limits),
    userMessage: message,
    canonical,
    sha256: sha256Hex(canonical),
  };
}

function asOfOf({ as_of }: DiagnosisRequest, now: number): number {
  if (as_of === undefined) return now;
  const asOf = Date.parse(as_of);
  if (asOf > now) throw refused(['as_of: must not be in the future']);
  if (asOf < EARLIEST_AS_OF) throw refused(['as_of: must not be before the year 1']);
  return asOf;
}

function limitsOf(asked: BudgetRequest, deployed: Limits): Limits {
  const resources = Object.keys(LIMIT_RANGES) as Resource[]; // the table's own keys
  const above = resources.filter((resource) => (asked[resource] ?? 0) > deployed[resource]);
  if (above.length > 0) {
    throw refused(
      above.map((resource) => `budget.${resource}: must be at most ${deployed[resource]}`),
    );
  }
  return Object.fromEntries(
    resources.map((resource) => [resource, asked[resource] ?? deployed[resource]]),
  ) as Limits; // one entry for each resource
}

function faultOf({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function refused(faults: readonly string[]): HarnessError<'INVALID_REQUEST'> {
  return new HarnessError(
    'INVALID_REQUEST',
    `invalid request: ${faults.slice(0, MAX_FAULTS).join('; ')}`,
  );
}
