import { spawnSync } from 'node:child_process';
import { DiagnosisOutcomeSchema } from '../../shared/contracts/diagnosis-outcome.ts';

/**
 * Runs the main job as README names it, in a process of its own, and checks what it prints: one JSON
 * object, COMPLETED, grounded by quotes, every cited call among the checks; and a readable report.
 */
function main(): number {
  const faults = [...faultsOfJson(), ...faultsOfReport()];
  for (const fault of faults) process.stderr.write(`main job: ${fault}\n`);
  if (faults.length === 0) process.stdout.write('main job: the shipped incident is diagnosed\n');
  return faults.length === 0 ? 0 : 1;
}

function faultsOfJson(): string[] {
  const { status, stdout, stderr } = diagnose('--json');
  if (status !== 0) return [`exit code ${status}: ${stderr}`];
  const outcome = DiagnosisOutcomeSchema.parse(JSON.parse(stdout));
  if (outcome.status !== 'COMPLETED') return [`status ${outcome.status}`];
  const checked = new Set<string>(outcome.progress?.checks.map(({ tool_call_id }) => tool_call_id));
  const cited = outcome.draft.analysis.flatMap(({ tool_call_ids }) => tool_call_ids);
  return [
    ...(outcome.grounding.conclusion === 'QUOTED' ? [] : ['the conclusion is not quoted']),
    ...(cited.length > 0 ? [] : ['nothing is cited']),
    ...cited.filter((id) => !checked.has(id)).map((id) => `${id} is cited and was not checked`),
  ];
}

function faultsOfReport(): string[] {
  const { status, stdout } = diagnose();
  const expected = [
    '结论（有逐字引文支持）',
    '长事务持有行锁',
    'MySQLTransactionRollbackException',
    '处置步骤',
  ];
  const missing = expected.filter((text) => !stdout.includes(text));
  return [
    ...(status === 0 ? [] : [`the report exits with ${status}`]),
    ...missing.map((text) => `the report lacks "${text}"`),
  ];
}

function diagnose(...args: readonly string[]) {
  return spawnSync('npm', ['run', '--silent', 'diagnose', '--', ...args], { encoding: 'utf8' });
}

process.exitCode = main();
