import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlaybook } from '../../../../functions/cli/stand-in/offline/playbook.ts';

const SKILLS = join(import.meta.dirname, '../../../../skills');
const TOOLS = ['query_logs', 'query_mysql', 'lookup_knowledge', 'read_skill'];

const names = readdirSync(SKILLS).filter((name) => name.startsWith('diagnose-'));
const queries = names.flatMap((name) =>
  readdirSync(join(SKILLS, name, 'queries')).map((file) => file.replace(/\.sql$/, '')),
);

describe.each(names)('%s', (name) => {
  const text = readFileSync(join(SKILLS, name, 'SKILL.md'), 'utf8');
  const playbook = readPlaybook(name, text, TOOLS, queries);

  it('asks for all three kinds of evidence, and only for queries that exist', () => {
    const asked = playbook.steps.filter(({ toolName }) => toolName === 'query_mysql');

    expect(new Set(playbook.steps.map(({ toolName }) => toolName))).toEqual(
      new Set(['query_logs', 'query_mysql', 'lookup_knowledge']),
    );
    expect(asked.filter(({ argument }) => !queries.includes(argument ?? ''))).toEqual([]);
  });

  it('tells at least two causes by signals', () => {
    const told = playbook.causes.filter(({ signals }) => signals.length > 0);

    expect(told.length).toBeGreaterThanOrEqual(2);
  });

  it('advises only on causes that it tells', () => {
    const causes = playbook.causes.map(({ name: cause }) => cause);
    const advised = playbook.advice.flatMap(({ cause }) => cause ?? []);

    expect(advised.filter((cause) => !causes.includes(cause))).toEqual([]);
  });
});
