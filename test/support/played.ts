import type { RecordedRequest } from '../../functions/cli/stand-in/converse-request.ts';
import {
  callTools,
  type ScriptedAnswer,
  scriptedBrain,
} from '../../functions/cli/stand-in/scripted-brain.ts';
import type { Delivery } from '../../functions/diagnosis/diagnose.ts';
import type { EvidenceTool } from '../../functions/diagnosis/evidence/evidence-tool.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import type { Invocation } from '../../shared/contracts/invocation.ts';
import type { StepDetail } from '../../shared/contracts/step.ts';
import { type BenchOptions, startBench } from './diagnosis-bench.ts';
import { type AdapterCall, type FakeSource, scriptedTools } from './fake-tools.ts';

/** What a played diagnosis may differ in; everything else has a valid default. */
export interface PlayOptions extends Omit<BenchOptions, 'brain'> {
  /** What the fake sources say; without it every call finds one line. */
  readonly source?: FakeSource;
  /** Fields of the request beside or instead of the default query. */
  readonly request?: Readonly<Record<string, unknown>>;
  readonly delivery?: Partial<Delivery>;
}

/** One observation as the model was shown it. */
export type Shown = Readonly<Record<string, unknown>>;

/** What one whole diagnosis left behind. */
export interface Played {
  readonly outcome: DiagnosisOutcome;
  /** Every HTTP request that reached the stand-in. */
  readonly requests: readonly RecordedRequest[];
  readonly steps: readonly StepDetail[];
  readonly invocations: readonly Invocation[];
  /** Calls that reached a fake source. */
  readonly adapterCalls: readonly AdapterCall[];
  readonly faults: readonly { readonly name: string }[];
  /** What the model was shown after its n-th round; empty when it was not asked again. */
  shownAfter(round: number): readonly Shown[];
}

export const QUERY = '12:38 起下单支付大量超时';

/** Plays one diagnosis: the model gives these answers in order. */
export async function play(
  answers: readonly ScriptedAnswer[],
  { source, evidence, request = {}, delivery, ...options }: PlayOptions = {},
): Promise<Played> {
  const fake = scriptedTools(source);
  await using bench = await startBench({
    ...options,
    brain: scriptedBrain(...answers),
    evidence: evidence ?? fake.tools,
  });
  const outcome = await bench.run({ query: QUERY, ...request }, delivery);
  const { requests } = bench.server;
  return {
    outcome,
    requests,
    steps: bench.steps.map(({ detail }) => detail),
    invocations: await bench.store.readInvocations(outcome.run_id, AbortSignal.timeout(5_000)),
    adapterCalls: fake.calls,
    faults: bench.faults,
    shownAfter: (round) => resultsOf(requests[round]),
  };
}

function resultsOf(request: RecordedRequest | undefined): readonly Shown[] {
  const content = request?.body?.messages?.at(-1)?.content ?? [];
  return content.flatMap(
    ({ toolResult }) => (toolResult?.content ?? []).map(({ json }) => json as Shown), // the stand-in takes objects only
  );
}

/** One round that asks for these tools, in parallel if there are several. */
export function round(...calls: readonly Asked[]): ScriptedAnswer {
  return callTools(calls);
}

/** A scripted tool call. */
export interface Asked {
  readonly name: string;
  readonly input: never;
}

type Evaluated = readonly [toolCallId: string, evaluation: 'GAINED' | 'NO_GAIN'];

/** Asks the logs; `filter` makes it a question of its own. */
export function askLogs(filter: string, evaluated?: Evaluated): Asked {
  return ask('query_logs', { topic: 'orders', query: filter, lookback_minutes: 60 }, evaluated);
}

export function askMysql(queryName: string, evaluated?: Evaluated): Asked {
  return ask('query_mysql', { query_name: queryName, parameters: {} }, evaluated);
}

export function askKnowledge(query: string, evaluated?: Evaluated): Asked {
  return ask('lookup_knowledge', { query }, evaluated);
}

export function readSkill(name: string): Asked {
  return { name: 'read_skill', input: { name } as never }; // scripts write any JSON
}

/** A tool call with its input just as it stands, envelope or not. */
export function rawCall(name: string, input: unknown): Asked {
  return { name, input: input as never }; // scripts write any JSON
}

function ask(name: EvidenceTool['name'], input: unknown, evaluated?: Evaluated): Asked {
  if (evaluated === undefined) return rawCall(name, { input });
  const [tool_call_id, evaluation] = evaluated;
  return rawCall(name, { previous_observation: { tool_call_id, evaluation }, input });
}
