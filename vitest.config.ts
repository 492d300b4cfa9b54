import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/dynamodb-setup.ts'],
    testTimeout: 20_000,
    pool: 'forks',
  },
});
