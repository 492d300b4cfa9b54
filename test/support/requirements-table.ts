/** One promise of the specification, and the test that is to prove it. */
export interface PromiseRow {
  /** File of the specification. */
  readonly source: string;
  /** Requirement, or section of a proposal: the name of the test's describe block. */
  readonly requirement: string;
  /** Scenario, or the first words of a bullet: the name of the test, or of a block of tests. */
  readonly name: string;
  /** Path of the test file within the repository. */
  readonly file: string;
  /** Whether the model's stand-in must have been asked, or must not. */
  readonly requests: 'some' | 'none';
  /** The full name that the test, or the block it is in, has in a report. */
  readonly testName: string;
}

const FILE_HEADING = /^## `([\w.-]+\.md)`$/;
const REQUIREMENT_HEADING = /^### (.+)$/;
const ROW = /^\| ([^|]+) \| `([\w.-]+\.test\.ts)` \| (some|none) \|/;

/** Reads the tables of `docs/requirements.md`. */
export function readPromises(markdown: string): readonly PromiseRow[] {
  const rows: PromiseRow[] = [];
  let source = '';
  let requirement = '';
  for (const line of markdown.split('\n')) {
    source = FILE_HEADING.exec(line)?.[1] ?? source;
    requirement = REQUIREMENT_HEADING.exec(line)?.[1] ?? requirement;
    const row = readRow(line, source, requirement);
    if (row !== null) rows.push(row);
  }
  return rows;
}

function readRow(line: string, source: string, requirement: string): PromiseRow | null {
  const [, name = '', file = '', requests] = ROW.exec(line) ?? [];
  if (requests === undefined) return null;
  return {
    source,
    requirement,
    name,
    file: `test/scenario/${file}`,
    requests: requests === 'none' ? 'none' : 'some',
    testName: isBullet(source) ? name : `${requirement} > ${name}`,
  };
}

/** Requirement and scenario headings of a specification file, in order. */
export function scenariosOf(specification: string): readonly (readonly [string, string])[] {
  const scenarios: (readonly [string, string])[] = [];
  let requirement = '';
  for (const line of specification.split('\n')) {
    requirement = /^### Requirement: (.+)$/.exec(line)?.[1]?.trim() ?? requirement;
    const scenario = /^#### Scenario: (.+)$/.exec(line)?.[1]?.trim();
    if (scenario !== undefined) scenarios.push([requirement, scenario]);
  }
  return scenarios;
}

/** The bullets of one section of a proposal, code marks taken out. */
export function bulletsOf(proposal: string, section: string): readonly string[] {
  const text = proposal.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith('- ') ? [line.slice(2).replaceAll('`', '')] : []));
}

/** The proposal has bullets in the place of scenarios; a block of tests proves each. */
function isBullet(source: string): boolean {
  return source === 'rag-log-projections.md';
}
