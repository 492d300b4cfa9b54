import type { PromiseRow } from './requirements-table.ts';

/** What a report says of one test. */
export interface ReportedTest {
  /** Path within the repository. */
  readonly file: string;
  /** Names of its blocks and its own, joined by ` > `. */
  readonly fullName: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** HTTP requests that the model's stand-in saw in it. */
  readonly requests: number;
}

/** Why promises are not proved by a report: one line each, none when all of them are. */
export function unprovenPromises(
  promises: readonly PromiseRow[],
  report: readonly ReportedTest[],
): readonly string[] {
  return promises.flatMap((promise) => {
    const proofs = report.filter(
      ({ file, fullName }) => file === promise.file && isNamed(fullName, promise.testName),
    );
    const fault = faultOf(promise, proofs);
    return fault === null ? [] : [`${promise.file}: "${promise.testName}" ${fault}`];
  });
}

/** The test itself, or one of a block that has the name. */
function isNamed(fullName: string, name: string): boolean {
  return fullName === name || fullName.startsWith(`${name} > `);
}

function faultOf({ requests }: PromiseRow, proofs: readonly ReportedTest[]): string | null {
  if (proofs.length === 0) return 'has no test that ran';
  const unpassed = proofs.find(({ state }) => state !== 'passed');
  if (unpassed !== undefined) return `did not pass: ${unpassed.state}`;
  if (requests === 'none') {
    return proofs.some((proof) => proof.requests > 0) ? 'asked the model, which it must not' : null;
  }
  return proofs.some((proof) => proof.requests === 0) ? 'never asked the model' : null;
}
