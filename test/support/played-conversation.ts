import { zstdDecompressSync } from 'node:zlib';
import type { Brain, ConverseBody } from '../../functions/cli/stand-in/brain.ts';
import type { StepHook } from '../../functions/diagnosis/audit/step-hook.ts';
import { diagnose } from '../../functions/diagnosis/diagnose.ts';
import type { DiagnosisParts } from '../../functions/diagnosis/diagnosis-parts.ts';
import type { WholeRecord } from '../../functions/run-record/record-pages.ts';
import { readWholeRecord } from '../../functions/run-record/whole-record.ts';
import { ConfigurationSchema } from '../../shared/contracts/configuration.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { RunIdSchema } from '../../shared/contracts/identifiers.ts';
import type { Invocation } from '../../shared/contracts/invocation.ts';
import type { Step } from '../../shared/contracts/step.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import type { ConversationPlan, EventPlan, RoundPlan, SourcePlan } from './conversation-plan.ts';
import { HandMovedClock } from './hand-moved-clock.ts';
import { inProcessModel } from './in-process-model.ts';
import { answerTo } from './planned-answers.ts';
import {
  SCRIPTED_TIMEOUT_MS,
  type SourceAnswer,
  type SourceCall,
  toolsOver,
} from './scripted-sources.ts';

/** What happened, in the order in which it happened; `at` by the run's own clock. */
export type Happening =
  | { readonly kind: 'request'; readonly at: number; readonly body: ConverseBody }
  | { readonly kind: 'adapter'; readonly at: number; readonly call: SourceCall }
  | { readonly kind: 'step'; readonly at: number; readonly step: Step }
  | { readonly kind: 'cancelled' | 'cancel-requested'; readonly at: number };

/** A conversation that was played to its end. */
export interface Played {
  readonly outcome: DiagnosisOutcome;
  readonly stored: string | null;
  readonly happenings: readonly Happening[];
  readonly invocations: readonly Invocation[];
  readonly steps: readonly Step[];
  /** What a reader of the record is given. */
  readonly record: WholeRecord | null;
  /** The raw results as they were handed to the store. */
  readonly rawResults: ReadonlyMap<string, Uint8Array>;
  readonly reported: readonly { readonly name: string }[];
  /** Why the service would have refused a request. */
  readonly refusals: readonly string[];
}

export const PLAYED_RUN = RunIdSchema.parse('run-1');

/** In the thrown error of a source, in what comes too late, and in the caller's bindings. */
export const SOURCE_CANARY = 'qz-source-5309-fragment';

const HASH = '0'.repeat(64);
const CONFIGURATION = ConfigurationSchema.parse({
  schema_version: 1,
  model: { model_id: 'scripted', max_tokens: 7_919 },
  playbooks_folder: 'skills',
  topics: [],
  logs: { kind: 'FILES', folder: 'logs' },
  knowledge: { kind: 'MARKDOWN', folder: 'knowledge' },
  mysql: { kind: 'SNAPSHOT', folder: 'mysql', taken_at: '2026-11-30T00:00:00Z' },
  store: { kind: 'SQLITE', file: ':memory:' },
});
const PLAYBOOKS = {
  sha256: HASH,
  playbooks: [
    { name: 'diagnose-payment-timeout', description: '支付超时', body: '先看日志。' },
    { name: 'diagnose-slow-response', description: '响应变慢', body: '先看数据库。' },
  ],
};

/** What is left to say when a plan is over: a draft without a conclusion. */
const LAST_ROUND: RoundPlan = {
  say: {
    kind: 'draft',
    stopReason: 'end_turn',
    draft: { concludes: false, items: [], missingInfo: true, link: false, wrap: 'plain' },
  },
  takesMs: 0,
  inputTokens: 900,
  event: 'none',
};
const LAST_SOURCE: SourcePlan = { act: { kind: 'lines', count: 1 }, takesMs: 0, event: 'none' };

let playing: Brain;
const model = inProcessModel({ answer: (request, context) => playing.answer(request, context) });

/** How a play differs from the usual one. */
export interface PlayOptions {
  /** Takes the place of the client without a network; the brain is reached over it. */
  readonly connect?: (brain: Brain) => DiagnosisParts['client'];
  readonly hook?: StepHook;
}

/** Plays a whole diagnosis of a plan: real agent, harness, tools and store, on a clock of its own. */
export async function play(
  plan: ConversationPlan,
  { connect, hook }: PlayOptions = {},
): Promise<Played> {
  const stage = new Stage(plan);
  playing = stage.brain;
  const before = model.faults.length;
  using store = disposable(createSqliteRunStore({ file: ':memory:', clock: stage.clock }));
  stage.store = store;
  const reported: { name: string }[] = [];
  const rawResults = new Map<string, Uint8Array>();
  const outcome = await diagnose(
    {
      configuration: { ...CONFIGURATION, tool_timeout_ms: SCRIPTED_TIMEOUT_MS },
      store: keepingRaw(store, rawResults),
      client: connect === undefined ? model.client : connect(stage.brain),
      toolset: { evidence: toolsOver((call) => stage.source(call)), hasPlaybooks: true },
      playbooks: PLAYBOOKS,
      prompt: '你是 diagnosis_agent。',
      identity: {
        model_id: 'scripted',
        prompt_sha256: HASH,
        playbooks_sha256: HASH,
        catalog_sha256: HASH,
        code_version: 'test',
      },
      clock: stage.clock,
      hook: (step) => {
        stage.note({ kind: 'step', step: structuredClone(step) });
        return hook?.(step);
      },
      reportFault: ({ name }) => void reported.push({ name }),
    },
    {
      event: {
        query: '支付为什么超时',
        run_id: PLAYED_RUN,
        session_id: 'session-1',
        bindings: { tenant: SOURCE_CANARY },
        budget: plan.budget,
      },
      requestId: 'request-1',
      remainingMs: 900_000,
      cancel: stage.cancel.signal,
    },
  );
  const signal = new AbortController().signal;
  return {
    outcome,
    stored: await store.readOutcome(PLAYED_RUN, signal),
    happenings: stage.happenings,
    invocations: await store.readInvocations(PLAYED_RUN, signal),
    steps: await store.readSteps(PLAYED_RUN, signal),
    record: await readWholeRecord(store, { runId: PLAYED_RUN, now: outcome.finished_at }, signal),
    rawResults,
    reported,
    refusals: model.faults.slice(before),
  };
}

type Noted = Happening extends infer One ? (One extends unknown ? Omit<One, 'at'> : never) : never;

/** Everything around one run that moves. */
class Stage {
  readonly clock = new HandMovedClock();
  readonly cancel = new AbortController();
  readonly happenings: Happening[] = [];
  readonly #plan: ConversationPlan;
  #rounds = 0;
  #sources = 0;
  store: RunStore | null = null;

  constructor(plan: ConversationPlan) {
    this.#plan = plan;
  }

  readonly brain: Brain = {
    answer: async (request) => {
      const plan = this.#plan.rounds[this.#rounds++] ?? LAST_ROUND;
      this.note({ kind: 'request', body: request });
      await this.#happen(plan.event);
      this.clock.move(plan.takesMs);
      return answerTo(request, plan);
    },
  };

  async source(call: SourceCall): Promise<SourceAnswer> {
    const { act, takesMs, event } = this.#plan.sources[this.#sources++] ?? LAST_SOURCE;
    this.note({ kind: 'adapter', call });
    await this.#happen(event);
    this.clock.move(takesMs);
    switch (act.kind) {
      case 'lines':
        return { kind: 'lines', lines: linesOf(act.count, this.#sources) };
      case 'throw':
        throw new Error(SOURCE_CANARY);
      case 'hang':
        return new Promise(() => {});
      case 'late':
        return new Promise((resolve) => {
          const answer = () =>
            resolve({ kind: 'lines', lines: [`${SOURCE_CANARY} came too late`] });
          if (call.context.signal.aborted) answer();
          else call.context.signal.addEventListener('abort', answer);
        });
      default:
        return act as SourceAnswer; // the kinds that are named alike
    }
  }

  note(happening: Noted): void {
    this.happenings.push({ ...happening, at: this.clock.now() } as Happening); // of the same kind
  }

  async #happen(event: EventPlan): Promise<void> {
    if (event === 'none') return;
    if (event === 'cancel') {
      this.note({ kind: 'cancelled' });
      this.cancel.abort();
      return;
    }
    const at = new Date(this.clock.now()).toISOString();
    await this.store?.requestCancel(PLAYED_RUN, at, new AbortController().signal);
    this.note({ kind: 'cancel-requested' });
  }
}

function linesOf(count: number, ordinal: number): string[] {
  const filler = count > 9 ? '等待行锁 '.repeat(24) : '';
  return Array.from(
    { length: count },
    (_, index) => `锁等待超时 lock wait timeout in step ${ordinal} part ${index} ${filler}`,
  );
}

/** The store, with a copy of every raw result kept aside. */
function keepingRaw(store: RunStore, rawResults: Map<string, Uint8Array>): RunStore {
  return {
    ...store,
    startProjection: (key, toolCallId, raw, signal) => {
      rawResults.set(toolCallId, zstdDecompressSync(Buffer.concat(raw.chunks)));
      return store.startProjection(key, toolCallId, raw, signal);
    },
  };
}

function disposable<Store extends { close(): void }>(store: Store): Store & Disposable {
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}
