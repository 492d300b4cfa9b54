import type { Step } from '../../shared/contracts/step.ts';
import type { StepHook } from '../diagnosis/audit/step-hook.ts';
import { type ProgressLines, printable } from './terminal.ts';

/** Tells a run on the terminal while it goes on: a line for each round and each tool call. */
export function liveLines(lines: ProgressLines): StepHook {
  return ({ detail }) => {
    const text = lineOf(detail);
    if (text !== null) lines.line(printable(text));
    lines.wait(detail.kind === 'ROUND' ? 'collecting evidence' : 'waiting for the model');
  };
}

function lineOf(detail: Step['detail']): string | null {
  switch (detail.kind) {
    case 'ROUND':
      return `round ${detail.round}  ${seconds(detail.duration_ms)}  ${roundText(detail)}`;
    case 'TOOL_CALL':
      return `  ${detail.tool_call_id}  ${detail.tool_name} ${askedText(detail.asked.json)}  ${resultText(detail)}  ${seconds(detail.duration_ms)}`;
    case 'CONTROL':
      return `  ${detail.tool_call_id}  ${detail.tool_name}  ${detail.decision}${detail.error_code === null ? '' : ` ${detail.error_code}`}`;
    case 'PLAYBOOK_READ':
      return `  ${detail.tool_call_id}  read_skill ${detail.skill}`;
    case 'EVALUATION':
      return `  ${detail.tool_call_id} was ${detail.evaluation}`;
    case 'STOP':
      return `  collection stopped: ${detail.stop_reason}`;
  }
}

function roundText({ tool_calls, failure }: Extract<Step['detail'], { kind: 'ROUND' }>): string {
  if (failure !== null) return `failed: ${failure}`;
  if (tool_calls.length === 0) return 'answers';
  return `asks for ${tool_calls.map(({ tool_name }) => tool_name).join(', ')}`;
}

function resultText({
  evidence_status,
  error_code,
}: Extract<Step['detail'], { kind: 'TOOL_CALL' }>): string {
  return error_code === null ? evidence_status : `${evidence_status} ${error_code}`;
}

/** The business input on one line, cut for the eye only. */
function askedText(json: string): string {
  const input = /"input":(.*)\}$/s.exec(json)?.[1] ?? json;
  return input.length > 100 ? `${input.slice(0, 99)}…` : input;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}
