import { LIMIT_RANGES, type Resource } from '../../../shared/contracts/budget.ts';
import { canonicalJson, sha256Hex } from '../../../shared/kernel/canonical-json.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';

/** The request is the one the run was opened with, and the outcome answers it under its own limits. */
export function doubtsOfRequest({ run, request, outcome }: WholeRecord): readonly string[] {
  const doubts = new Doubts();
  const { run_id: _run, ...asked } = request;
  doubts.unless(
    sha256Hex(canonicalJson(asked)) === run.request_sha256,
    'it does not match its hash',
  );
  doubts.unless(request.run_id === undefined, 'it holds a run id, which is kept apart from it');
  const session = request.session_id ?? run.run_id;
  doubts.unless(session === run.session_id, 'it belongs to another session');
  if (outcome === null) return doubts.all;

  doubts.unless(outcome.query === request.query, 'the outcome answers another query');
  const asOf = Date.parse(request.as_of ?? run.created_at);
  doubts.unless(Date.parse(outcome.as_of) === asOf, 'the outcome is as of another instant');
  for (const resource of Object.keys(LIMIT_RANGES) as Resource[]) {
    // the table's own keys
    const wanted = request.budget?.[resource];
    const limit = outcome.usage.limits[resource];
    doubts.unless(
      wanted === undefined || wanted === limit,
      `it asked for another limit of ${resource}`,
    );
    doubts.unless(
      limit <= LIMIT_RANGES[resource].ceiling,
      `no deployment has that limit of ${resource}`,
    );
  }
  return doubts.all;
}
