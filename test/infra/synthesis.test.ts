import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assembly, synthesize } from './synthesized-assembly.ts';

const hasLint = spawnSync('cfn-lint', ['--version']).status === 0;

let assembly: Assembly;
beforeAll(async () => {
  assembly = await synthesize('example');
}, 120_000);
afterAll(() => rmSync(assembly.folder, { recursive: true, force: true }));

describe('the synthesis', () => {
  it('follows every flag that the CDK recommends, but keeps references between stacks strong', () => {
    const { stage, ...flags } = JSON.parse(readFileSync('cdk.json', 'utf8')).context;

    expect(stage).toBe('sample');
    expect(flags).toEqual({
      ...recommended,
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
    });
  });

  it('puts no account and no number of one into the templates', () => {
    const numbers = `${assembly.records}${assembly.service}`.match(/\b\d{12}\b/g) ?? [];

    expect([...new Set(numbers)]).toEqual(['111122223333']); // the example's topic
  });

  it('warns of nothing', () => {
    expect(assembly.printed).toBe('');
  });

  it('is refused for a stage without a file, and says which', async () => {
    await expect(synthesize('nowhere')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(join('infra', 'config', 'nowhere.json')),
    });
  });

  it('is refused for a name that is no stage', async () => {
    await expect(synthesize('../sample')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('name a stage'),
    });
  });
});

describe.skipIf(!hasLint)(hasLint ? 'cfn-lint' : 'cfn-lint (not run: it is not here)', () => {
  it.each(['records', 'service'])(
    'finds nothing in the template of %s',
    (part) => {
      const template = join(assembly.folder, `diagnosis-example-${part}.template.json`);

      const { stdout, status } = spawnSync('cfn-lint', ['-i', 'W3005', '-t', template], {
        encoding: 'utf8',
      });

      expect([stdout.trim(), status]).toEqual(['', 0]);
    },
    60_000,
  );
});
