import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/dynamodb-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }]],
    testTimeout: 20_000,
    pool: 'forks',
  },
});
