import type { ContentBlock } from '@aws-sdk/client-bedrock-runtime';
import type { BrainAnswer, ConverseBody } from '../../functions/cli/stand-in/brain.ts';
import { roundOf } from '../../functions/cli/stand-in/brain.ts';
import {
  answerWith,
  type ScriptedCall,
  toolUseBlock,
} from '../../functions/cli/stand-in/scripted-brain.ts';
import type {
  CallPlan,
  DraftPlan,
  ItemPlan,
  PreviousPlan,
  RoundPlan,
} from './conversation-plan.ts';

/** An observation as the model was shown it. */
export type Shown = Readonly<Record<string, unknown>>;

/** Every observation of a request, in order. */
export function shownIn(request: ConverseBody): readonly Shown[] {
  return (request.messages ?? []).flatMap(({ content = [] }) =>
    content.flatMap(({ toolResult }) =>
      (toolResult?.content ?? []).flatMap(({ json }) =>
        json === undefined ? [] : [json as Shown],
      ),
    ),
  ); // an observation is a JSON object; the contract tests say so
}

/** Makes of a plan what a model would send, given what it was shown so far. */
export function answerTo(request: ConverseBody, { say, inputTokens }: RoundPlan): BrainAnswer {
  const shown = shownIn(request);
  const usage = { inputTokens, outputTokens: 90 };
  switch (say.kind) {
    case 'error':
      return { ...say, message: 'as planned' };
    case 'text':
      return answerWith([{ text: say.text }], { usage });
    case 'draft':
      return answerWith([{ text: draftText(say.draft, shown) }], {
        usage,
        stopReason: say.stopReason as never, // the service may send what the SDK does not know
      });
    case 'calls':
      return answerWith(
        say.calls.map((call, index) => toolUse(call, { request, shown, index })),
        { usage, stopReason: say.stopReason as never }, // as above
      );
  }
}

interface Asking {
  readonly request: ConverseBody;
  readonly shown: readonly Shown[];
  readonly index: number;
}

function toolUse(call: CallPlan, { request, shown, index }: Asking): ContentBlock {
  const ids = {
    fresh: `tooluse_${roundOf(request)}_${index}`,
    repeated: 'tooluse_1_0',
    malformed: 'a b',
  };
  return toolUseBlock(call.name, inputOf(call, shown) as ScriptedCall['input'], ids[call.id]);
}

function inputOf({ name, business, wrap, previous }: CallPlan, shown: readonly Shown[]): unknown {
  if (name === 'read_skill' && wrap === 'envelope') return business;
  const given = previousOf(previous, shown);
  switch (wrap) {
    case 'envelope':
      return given === undefined
        ? { input: business }
        : { previous_observation: given, input: business };
    case 'bare':
      return business;
    case 'text':
      return JSON.stringify(business);
    case 'list':
      return [business];
    case 'extra-key':
      return { input: business, why: 'because' };
    case 'nothing':
      return {};
  }
}

function previousOf(previous: PreviousPlan, shown: readonly Shown[]): unknown {
  const found = shown.findLast(({ evidence_status: status }) => status === 'EVIDENCE_FOUND');
  const id = found?.['tool_call_id'] ?? 'call-1';
  switch (previous) {
    case 'gained':
      return { tool_call_id: id, evaluation: 'GAINED' };
    case 'no-gain':
      return { tool_call_id: id, evaluation: 'NO_GAIN' };
    case 'foreign':
      return { tool_call_id: 'call-777', evaluation: 'GAINED' };
    case 'without-evaluation':
      return { tool_call_id: id };
    case 'text':
      return 'GAINED';
    case 'null':
      return null;
    case 'absent':
      return undefined;
  }
}

function draftText(plan: DraftPlan, shown: readonly Shown[]): string {
  const text = JSON.stringify({
    conclusion: plan.concludes ? '库存扣减在等待行锁' : null,
    analysis: plan.items.map((item) => analysisItem(item, shown)),
    action_plan: plan.link ? ['打开 https://evil.example/fix 按其执行'] : [],
    recommendations: [],
    limitations: { checked_scope: ['order'], missing_info: plan.missingInfo ? ['主库指标'] : [] },
  });
  const wraps = {
    plain: text,
    fenced: `\`\`\`json\n${text}\n\`\`\``,
    prefixed: `结论如下：${text}`,
    twice: text + text,
    cut: text.slice(0, -5),
  };
  return wraps[plan.wrap];
}

function analysisItem({ negative, cites, quote }: ItemPlan, shown: readonly Shown[]): unknown {
  const cited = citedObservation(cites, shown);
  const id = cites === 'invented' ? 'call-99' : (cited?.['tool_call_id'] ?? 'call-1');
  const line = quotableOf(cited);
  const texts = { shown: line, changed: `${line ?? ''}被改动的引文`, none: undefined };
  const text = texts[quote];
  return {
    type: negative ? 'NEGATIVE_OBSERVATION' : 'OBSERVATION',
    statement: '看到了锁等待',
    tool_call_ids: [id],
    ...(text !== undefined && { quotes: [{ tool_call_id: id, text }] }),
  };
}

function citedObservation(cites: ItemPlan['cites'], shown: readonly Shown[]): Shown | undefined {
  const status = { found: 'EVIDENCE_FOUND', nothing: 'NO_EVIDENCE', invented: '', any: '' }[cites];
  return status === ''
    ? shown.at(-1)
    : shown.findLast(({ evidence_status: given }) => given === status);
}

/** A string of the observation that may be quoted, short enough for a quote. */
function quotableOf(shown: Shown | undefined): string | undefined {
  const { events, rows, evidence } = (shown ?? {}) as {
    events?: string[];
    rows?: string[];
    evidence?: { excerpt: string }[];
  }; // of the observation contract
  return (events?.[0] ?? rows?.[0] ?? evidence?.[0]?.excerpt)?.slice(0, 60);
}
