import { describe, expect, it } from 'vitest';
import { scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import { loadPlaybooks } from '../../functions/diagnosis/agent/playbooks.ts';
import { stablePrompt } from '../../functions/diagnosis/agent/prompt.ts';
import { draftJsonSchema } from '../../functions/diagnosis/draft/draft-schema.ts';
import type { ProgressSnapshot } from '../../shared/contracts/progress-snapshot.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { aDraft, aGroundedDraft, conclude } from '../support/drafts.ts';
import { askLogs, askMysql, play, QUERY, readSkill, round } from '../support/played.ts';

const PLAYBOOKS = loadPlaybooks('skills');
const PROMPT = stablePrompt(draftJsonSchema(), PLAYBOOKS);
const POOL = 'diagnose-mysql-connection-pool';
const OPTIONS = { playbooks: PLAYBOOKS, prompt: PROMPT };

describe('Skill catalog SHALL expose diagnosis playbooks compactly', () => {
  it('Planner or Executor receives available skill metadata', async () => {
    const { requests } = await play([conclude()], OPTIONS);

    const system = requests[0]?.body?.system?.map(({ text }) => text ?? '').join('\n') ?? '';
    expect(PLAYBOOKS.playbooks).toHaveLength(5);
    for (const { name, description, body } of PLAYBOOKS.playbooks) {
      expect(system).toContain(`- ${name}: ${description}`);
      for (const line of telling(body)) expect(system).not.toContain(line);
    }
  });
});

describe('Executor SHALL read full playbook instructions on demand', () => {
  it('Executor reads an existing skill', async () => {
    const { shownAfter } = await play([round(readSkill(POOL)), conclude()], OPTIONS);

    expect(shownAfter(1)).toEqual([
      { tool_call_id: 'call-1', skill: POOL, instructions: bodyOf(POOL) },
    ]);
  });

  it.each(['diagnose-network', `../${POOL}`, `${POOL}/SKILL.md`])(
    'Executor requests an unknown skill',
    async (name) => {
      const { shownAfter } = await play([round(readSkill(name)), conclude()], OPTIONS);

      expect(shownAfter(1)).toEqual([
        {
          tool_call_id: 'call-1',
          playbook_error: 'UNKNOWN_SKILL',
          valid_names: PLAYBOOKS.playbooks.map((playbook) => playbook.name),
        },
      ]);
    },
  );
});

describe('Playbook skills SHALL preserve evidence and verifier boundaries', () => {
  it('Executor uses a playbook', async () => {
    const answers = [
      round(readSkill(POOL)),
      round(askLogs('pool')),
      round(askMysql('connection_usage', ['call-2', 'GAINED'])),
      conclude(aGroundedDraft('call-3')),
    ];

    const { outcome, invocations } = await play(answers, OPTIONS);

    expect(outcome).toMatchObject({ status: 'COMPLETED', draft: aGroundedDraft('call-3') });
    expect(invocations.map(({ tool_call_id }) => tool_call_id)).toEqual(['call-2', 'call-3']);
    expect(checkedCalls(outcome)).toEqual(['call-2', 'call-3']);
  });

  it('refuses a draft that cites the reading of a playbook', async () => {
    const draft = aDraft({
      analysis: [{ type: 'OBSERVATION', statement: '手册如此', tool_call_ids: ['call-1'] }],
    });
    const answers = [round(readSkill(POOL)), conclude(draft)];

    const { outcome } = await play(answers, OPTIONS);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'EVIDENCE_REJECTED', detail_code: 'NOT_EVIDENCE' },
    });
  });
});

describe('a link of a playbook', () => {
  const url = 'https://wiki.example/pool';
  const body = `# 连接池\n处置见 ${url}。`;
  const playbooks = {
    sha256: '0'.repeat(64),
    playbooks: [{ name: POOL, description: '池', body }],
  };
  const draft = aDraft({ action_plan: [`按 ${url} 处置`] });

  it('may be passed on once the playbook was read', async () => {
    const { outcome } = await play([round(readSkill(POOL)), conclude(draft)], { playbooks });

    expect(outcome).toMatchObject({ status: 'COMPLETED', draft });
  });

  it('may not be guessed', async () => {
    const { outcome } = await play([conclude(draft)], { playbooks });

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'EVIDENCE_REJECTED', detail_code: 'UNTRUSTED_LINK' },
    });
  });
});

describe('Initial playbook set SHALL cover fixed MVP diagnosis cases', () => {
  it.each([
    'diagnose-payment-timeout',
    'diagnose-mysql-connection-pool',
    'diagnose-redis-timeout',
    'diagnose-slow-response',
    'diagnose-jvm-memory',
  ])('Fixed diagnosis case has a matching playbook', async (name) => {
    const { shownAfter } = await play([round(readSkill(name)), conclude()], OPTIONS);

    const [shown] = shownAfter(1);
    expect(shown?.['skill']).toBe(name);
    const instructions = String(shown?.['instructions']);
    for (const tool of ['query_logs', 'query_mysql', 'lookup_knowledge']) {
      expect(sectionOf(instructions, '证据顺序')).toContain(tool);
    }
    expect(sectionOf(instructions, '低置信度时')).toContain('null');
    expect(sectionOf(instructions, '停止条件').trim()).not.toBe('');
  });
});

describe('Executor SHALL avoid duplicate playbook reads in one diagnosis path', () => {
  it('Executor has already read the selected skill', async () => {
    const answers = [round(readSkill(POOL)), round(readSkill(POOL)), conclude()];

    const { requests, shownAfter } = await play(answers, OPTIONS);

    expect(shownAfter(2)).toEqual([{ tool_call_id: 'call-2', control: 'ALREADY_READ' }]);
    const [line = ''] = telling(bodyOf(POOL));
    expect(JSON.stringify(requests[2]?.body).split(line)).toHaveLength(2);
  });

  it('Retry round may read selected skill again', async () => {
    const answers = [round(readSkill(POOL)), conclude(), round(readSkill(POOL)), conclude()];
    await using bench = await startBench({ ...OPTIONS, brain: scriptedBrain(...answers) });
    await bench.run({ query: QUERY, run_id: 'run-1' });

    await bench.run({ query: QUERY, run_id: 'run-1.a2' });

    const reads = bench.steps.filter(({ detail }) => detail.kind === 'PLAYBOOK_READ');
    expect(reads.map(({ run_id, detail }) => [run_id, detail])).toMatchObject([
      ['run-1', { skill: POOL, tool_call_id: 'call-1' }],
      ['run-1.a2', { skill: POOL, tool_call_id: 'call-1' }],
    ]);
    const [line = ''] = telling(bodyOf(POOL));
    expect(JSON.stringify(bench.server.requests[3]?.body)).toContain(line);
  });
});

describe('Live traces SHALL expose skill selection boundaries', () => {
  const answers = [
    round(askLogs('pool')),
    round(readSkill(POOL), askMysql('connection_usage', ['call-1', 'GAINED'])),
    round(askMysql('connections_by_user', ['call-3', 'GAINED'])),
    conclude(),
  ];

  it('Planner selects without reading skill body', async () => {
    const { steps, requests } = await play(answers, OPTIONS);

    const named = steps.flatMap((step) =>
      step.kind === 'TOOL_CALL' ? [[step.tool_call_id, step.playbook]] : [],
    );
    expect(named).toEqual([
      ['call-1', null],
      ['call-3', POOL],
      ['call-4', POOL],
    ]);
    const firstRound = steps.filter((step) => 'round' in step && step.round === 1);
    expect(firstRound.map(({ kind }) => kind)).toEqual(['ROUND', 'TOOL_CALL']);
    for (const line of telling(bodyOf(POOL))) {
      expect(JSON.stringify(requests.slice(0, 2).map(({ body }) => body))).not.toContain(line);
    }
  });

  it('Executor reads selected skill', async () => {
    const beforeEvidence = [round(readSkill(POOL)), round(askLogs('pool')), conclude()];

    const { steps } = await play(beforeEvidence, OPTIONS);

    const told = steps.filter(({ kind }) => kind !== 'ROUND');
    expect(told).toMatchObject([
      { kind: 'PLAYBOOK_READ', skill: POOL, tool_call_id: 'call-1', before_evidence: true },
      { kind: 'TOOL_CALL', tool_name: 'query_logs', tool_call_id: 'call-2', playbook: POOL },
    ]);
  });

  it('says of a playbook that is read after evidence that it came later', async () => {
    const { steps } = await play(answers, OPTIONS);

    expect(steps.filter(({ kind }) => kind === 'PLAYBOOK_READ')).toEqual([
      {
        kind: 'PLAYBOOK_READ',
        round: 2,
        tool_call_id: 'call-2',
        skill: POOL,
        before_evidence: false,
      },
    ]);
  });
});

function bodyOf(name: string): string {
  return PLAYBOOKS.playbooks.find((playbook) => playbook.name === name)?.body ?? '';
}

/** Lines of a body that stand nowhere else: JSON writes them as they are. */
function telling(body: string): string[] {
  return body.split('\n').filter((line) => line.length > 30 && !/["\\]/.test(line));
}

function sectionOf(body: string, heading: string): string {
  return body.split(/^## /m).find((section) => section.startsWith(heading)) ?? '';
}

function checkedCalls({ progress }: { readonly progress: ProgressSnapshot | null }): string[] {
  return progress?.checks.map(({ tool_call_id }) => tool_call_id) ?? [];
}
