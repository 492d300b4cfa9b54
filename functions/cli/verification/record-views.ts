import type { Invocation } from '../../../shared/contracts/invocation.ts';
import {
  KnowledgeObservationSchema,
  LogsObservationSchema,
  MysqlObservationSchema,
} from '../../../shared/contracts/observation.ts';
import type { Step, StepDetail } from '../../../shared/contracts/step.ts';
import { canonicalJson } from '../../../shared/kernel/canonical-json.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';

export type Ready = Extract<Invocation, { status: 'READY' }>;

/** A step of one kind. */
export type StepOf<Kind extends StepDetail['kind']> = Step & {
  readonly detail: Extract<StepDetail, { kind: Kind }>;
};

export function stepsOf<Kind extends StepDetail['kind']>(
  { steps }: Pick<WholeRecord, 'steps'>,
  kind: Kind,
): readonly StepOf<Kind>[] {
  return steps.filter((step): step is StepOf<Kind> => step.detail.kind === kind);
}

/** The calls that the model asked for, in order. */
export function announcedCalls(record: Pick<WholeRecord, 'steps'>) {
  return stepsOf(record, 'ROUND').flatMap(({ detail }) => detail.tool_calls);
}

export function readyInvocations({ invocations }: Pick<WholeRecord, 'invocations'>) {
  return invocations.filter((invocation): invocation is Ready => invocation.status === 'READY');
}

/** The step that says how a call which opened an invocation was answered. */
export function callStep(record: Pick<WholeRecord, 'steps'>, toolCallId: string) {
  return stepsOf(record, 'TOOL_CALL').find(({ detail }) => detail.tool_call_id === toolCallId);
}

/** Equal as JSON values, whatever the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

/** A text of the record as JSON, or undefined when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON.parse has no other way to say so
  }
}

/** True when the instants are in order; null ones are left aside. */
export function inOrder(...instants: readonly (string | null | undefined)[]): boolean {
  const known = instants.flatMap((instant) => (instant == null ? [] : [Date.parse(instant)]));
  return known.every((instant, index) => index === 0 || (known[index - 1] ?? 0) <= instant);
}

const OBSERVATION_OF = {
  lookup_knowledge: KnowledgeObservationSchema,
  query_logs: LogsObservationSchema,
  query_mysql: MysqlObservationSchema,
} as const;

/** What the model was shown, or null when it breaks the contract of its tool. */
export function shownEvidence({ tool_name, observation }: Ready) {
  return OBSERVATION_OF[tool_name].safeParse(jsonOf(observation)).data ?? null;
}
