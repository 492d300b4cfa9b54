import { defineConfig } from 'vitest/config';
import { PromiseReporter } from './test/support/promise-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/dynamodb-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }], new PromiseReporter()],
    coverage: {
      include: ['functions/**/*.ts', 'shared/**/*.ts', 'infra/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
    testTimeout: 20_000,
    pool: 'forks',
  },
});
