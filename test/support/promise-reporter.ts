import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { type ReportedTest, unprovenPromises } from './promise-check.ts';
import { readPromises } from './requirements-table.ts';

const TABLE = 'docs/requirements.md';

/**
 * Fails a run of the suite that leaves a promise of the specification unproved: no test of its name
 * that ran and passed, or none that asked the model's stand-in. A run of a few files is held to the
 * promises of those files; one that picks tests by name, to none.
 */
export class PromiseReporter implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest === null || this.#vitest.config.testNamePattern !== undefined) return;
    const ran = new Set(modules.map(({ moduleId }) => relative(process.cwd(), moduleId)));
    const isWholeSuite = globSync('test/**/*.test.ts').every((file) => ran.has(file));
    const promises = readPromises(readFileSync(TABLE, 'utf8'));
    const due = promises.filter(({ file }) => isWholeSuite || ran.has(file));
    const faults = unprovenPromises(due, modules.flatMap(reported));
    if (faults.length === 0) return;
    this.#vitest.logger.error(`Promises of ${TABLE} without proof:\n  ${faults.join('\n  ')}`);
    process.exitCode = 1;
  }
}

function reported(module: TestModule): ReportedTest[] {
  return [...module.children.allTests()].map((test) => ({
    file: relative(process.cwd(), module.moduleId),
    fullName: test.fullName,
    state: test.result().state,
    requests: requestsOf(test),
  }));
}

function requestsOf(test: TestCase): number {
  const { standInRequests } = test.meta() as { standInRequests?: number }; // declared by the bench
  return standInRequests ?? 0;
}
