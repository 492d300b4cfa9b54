import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTerminal } from '../support/terminal-run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bad-input-'));
  await writeFile(join(folder, 'tool-block.json'), JSON.stringify(aTurn({ tool_results: [] })));
  await writeFile(join(folder, 'not-json.json'), '{');
  await mkdir(join(folder, 'broken-capsule'));
  await writeFile(join(folder, 'broken-capsule', 'incident.json'), '{"schema_version": 1');
  await mkdir(join(folder, 'nowhere-zone'));
  await writeFile(
    join(folder, 'nowhere-zone', 'incident.json'),
    JSON.stringify({
      schema_version: 1,
      name: 'x',
      title: 'x',
      query: 'x',
      as_of: '2026-11-03T05:00:00Z',
      time_zone: 'CET+1x',
      topics: [],
    }),
  );
  await mkdir(join(folder, 'incomplete-capsule'));
  await writeFile(join(folder, 'incomplete-capsule', 'incident.json'), '{"schema_version": 1}');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('wrong use of the terminal', () => {
  it.each<[string, () => string[], RegExp]>([
    ['a blank query', () => ['--query', '  '], /query: must not be blank/],
    [
      'a query one byte over its limit, in Chinese',
      () => ['--query', `${'查'.repeat(5_461)}ab`],
      /query: must have at most 16384 UTF-8 bytes/,
    ],
    ['an unknown option', () => ['--verbos'], /--verbos/],
    ['an unknown command', () => ['run'], /there is no command "run"/],
    ['an unknown incident', () => ['--incident', 'nowhere'], /there is no incident "nowhere"/],
    [
      'a model it does not have',
      () => ['--model', 'gpt'],
      /--model takes offline, bedrock, by-hand/,
    ],
    ['Bedrock without a model id', () => ['--model', 'bedrock'], /needs --model-id/],
    ['a model id for the stand-in', () => ['--model-id', 'x'], /goes with --model bedrock/],
    ['an empty data folder', () => ['runs', '--data', ''], /--data takes a folder/],
    [
      'an option that a command does not take',
      () => ['runs', '--json'],
      /runs does not take --json/,
    ],
    ['a folder for a model that needs none', () => ['--folder', 'x'], /goes with --model by-hand/],
    ['a follow-up without a question', () => ['--follow', 'run-1'], /--follow needs --query/],
    [
      'a follow-up of a run that is not there',
      () => ['--follow', 'run-1', '--query', 'q'],
      /no finished run run-1/,
    ],
    [
      'a capsule in a time zone that does not exist',
      () => ['--incident', join(folder, 'nowhere-zone')],
      /incident\.json: time_zone must be an IANA time zone/,
    ],
    ['a run id that is none', () => ['show', '../x'], /a run id is/],
    ['a run that is not there', () => ['show', 'run-1'], /no finished run run-1/],
    [
      'a previous turn with a tool block',
      () => ['--previous-turn', join(folder, 'tool-block.json')],
      /previous_turn: Unrecognized key: "tool_results"/,
    ],
    [
      'a previous turn that is not JSON',
      () => ['--previous-turn', join(folder, 'not-json.json')],
      /cannot be read as JSON/,
    ],
    [
      'a capsule whose manifest is not JSON',
      () => ['--incident', join(folder, 'broken-capsule')],
      /incident\.json cannot be read as JSON/,
    ],
    [
      'a capsule whose manifest lacks a field',
      () => ['--incident', join(folder, 'incomplete-capsule')],
      /incident\.json: name/,
    ],
  ])(
    'says in one line what is wrong with %s, exits with 2 and writes nothing',
    async (_case, args, fault) => {
      const data = join(folder, 'untouched');

      const { exitCode, stdout, stderr } = await callTerminal(['--data', data, ...args()]);

      expect(stderr).toMatch(fault);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(stdout).toBe('');
      expect(exitCode).toBe(2);
      expect(existsSync(data)).toBe(false);
    },
  );

  it.each([
    ['credentials', { AWS_REGION: 'eu-central-1' }, /needs AWS credentials/],
    ['a region', { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }, /needs a region/],
  ])('says that Bedrock needs %s before anything is written', async (_what, environment, fault) => {
    const data = join(folder, 'untouched');
    const args = ['--model', 'bedrock', '--model-id', 'any', '--data', data];

    const { exitCode, stderr } = await callTerminal(args, {
      AWS_EC2_METADATA_DISABLED: 'true',
      ...environment,
    });

    expect(stderr).toMatch(fault);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(exitCode).toBe(2);
    expect(existsSync(data)).toBe(false);
  });

  it.each([
    ['a file', 'package.json'],
    ['a path below a file', 'package.json/data'],
  ])('ends at once when its runs would be kept in %s', async (_what, data) => {
    const { exitCode, stderr } = await callTerminal(['--data', data]);

    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(exitCode).toBe(2);
  });

  it('prints its help', async () => {
    const { exitCode, stdout } = await callTerminal(['--help']);

    expect(stdout).toContain('--incident');
    expect(exitCode).toBe(0);
  });
});

function aTurn(extra: object) {
  return {
    run_id: 'run-1',
    as_of: '2026-11-03T05:00:00Z',
    query: 'q',
    conclusion: null,
    missing_info: [],
    ...extra,
  };
}
