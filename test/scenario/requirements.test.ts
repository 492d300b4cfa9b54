import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ReportedTest, unprovenPromises } from '../support/promise-check.ts';
import {
  bulletsOf,
  type PromiseRow,
  readPromises,
  scenariosOf,
} from '../support/requirements-table.ts';

const SPECIFICATION = '../shared/spec';
const IS_PRESENT = existsSync(SPECIFICATION);
const PROPOSAL = 'rag-log-projections.md';
const PROMISES = readPromises(readFileSync('docs/requirements.md', 'utf8'));

if (!IS_PRESENT) {
  console.warn(
    `SPECIFICATION ABSENT: ${SPECIFICATION} is not there, docs/requirements.md is not compared`,
  );
}

describe('docs/requirements.md', () => {
  it('has a row for each of the forty-two scenarios and nine bullets', () => {
    const counts = Map.groupBy(PROMISES, ({ source }) => source);

    expect([...counts].map(([source, rows]) => [source, rows.length])).toEqual([
      ['single-react-diagnosis-agent.md', 22],
      ['controlled-stop-delta.md', 11],
      ['diagnosis-playbook-skills.md', 9],
      [PROPOSAL, 9],
    ]);
  });

  it
    .skipIf(!IS_PRESENT)
    .each([
      'single-react-diagnosis-agent.md',
      'controlled-stop-delta.md',
      'diagnosis-playbook-skills.md',
    ])('lists the scenarios of %s, in order', (source) => {
    const specified = scenariosOf(readFileSync(`${SPECIFICATION}/${source}`, 'utf8'));

    const listed = PROMISES.filter((row) => row.source === source);

    expect(listed.map(({ requirement, name }) => [requirement, name])).toEqual(specified);
  });

  it.skipIf(!IS_PRESENT).each(['Acceptance direction', 'Constraints and risks'])(
    'lists the bullets of "%s" by their first words',
    (section) => {
      const bullets = bulletsOf(readFileSync(`${SPECIFICATION}/${PROPOSAL}`, 'utf8'), section);

      const listed = PROMISES.filter((row) => row.requirement === section);

      expect(listed).toHaveLength(bullets.length);
      expect(listed.filter(({ name }, at) => !bullets[at]?.startsWith(name))).toEqual([]);
    },
  );

  it('names test files that exist', () => {
    const missing = PROMISES.filter(({ file }) => !existsSync(file));

    expect(missing).toEqual([]);
  });
});

describe('unprovenPromises', () => {
  it('accepts a test of the name that passed and asked the model', () => {
    expect(unprovenPromises([aPromise()], [aTest()])).toEqual([]);
  });

  it('accepts a block of tests of the name', () => {
    const report = ['one', 'two'].map((name) =>
      aTest({ fullName: `Requirement > Scenario > ${name}` }),
    );

    expect(unprovenPromises([aPromise()], report)).toEqual([]);
  });

  it.each<[string, readonly ReportedTest[], string]>([
    ['without a test', [], 'has no test that ran'],
    ['of another file', [aTest({ file: 'test/scenario/b.test.ts' })], 'has no test that ran'],
    ['of a longer name', [aTest({ fullName: 'Requirement > Scenario 2' })], 'has no test that ran'],
    ['that was skipped', [aTest({ state: 'skipped' })], 'did not pass: skipped'],
    ['that failed once', [aTest(), aTest({ state: 'failed' })], 'did not pass: failed'],
    ['that never asked', [aTest({ requests: 0 })], 'never asked the model'],
  ])('refuses a promise %s', (_what, report, fault) => {
    expect(unprovenPromises([aPromise()], report)).toEqual([
      `test/scenario/a.test.ts: "Requirement > Scenario" ${fault}`,
    ]);
  });

  it('refuses a test that asked the model though nothing may be asked', () => {
    expect(unprovenPromises([aPromise({ requests: 'none' })], [aTest()])).toEqual([
      'test/scenario/a.test.ts: "Requirement > Scenario" asked the model, which it must not',
    ]);
  });
});

function aPromise(changes: Partial<PromiseRow> = {}): PromiseRow {
  return {
    source: 'spec.md',
    requirement: 'Requirement',
    name: 'Scenario',
    file: 'test/scenario/a.test.ts',
    requests: 'some',
    testName: 'Requirement > Scenario',
    ...changes,
  };
}

function aTest(changes: Partial<ReportedTest> = {}): ReportedTest {
  return {
    file: 'test/scenario/a.test.ts',
    fullName: 'Requirement > Scenario',
    state: 'passed',
    requests: 1,
    ...changes,
  };
}
