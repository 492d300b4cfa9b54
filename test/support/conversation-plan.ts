import type { AdapterErrorCode } from '../../functions/diagnosis/evidence/tool-adapter.ts';

/** How a planned call gives `previous_observation`; what is right is only known when it is asked. */
export type PreviousPlan =
  | 'gained'
  | 'no-gain'
  | 'absent'
  | 'null'
  | 'foreign'
  | 'without-evaluation'
  | 'text';

export interface CallPlan {
  readonly name: string;
  readonly business: unknown;
  readonly wrap: 'envelope' | 'bare' | 'text' | 'list' | 'extra-key' | 'nothing';
  readonly previous: PreviousPlan;
  readonly id: 'fresh' | 'repeated' | 'malformed';
}

export interface ItemPlan {
  readonly negative: boolean;
  readonly cites: 'found' | 'nothing' | 'invented' | 'any';
  readonly quote: 'shown' | 'changed' | 'none';
}

export interface DraftPlan {
  readonly concludes: boolean;
  readonly items: readonly ItemPlan[];
  readonly missingInfo: boolean;
  readonly link: boolean;
  readonly wrap: 'plain' | 'fenced' | 'prefixed' | 'twice' | 'cut';
}

/** What the model says in one round. */
export type SayPlan =
  | { readonly kind: 'calls'; readonly calls: readonly CallPlan[]; readonly stopReason: string }
  | { readonly kind: 'draft'; readonly draft: DraftPlan; readonly stopReason: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly status: number; readonly type: string };

/** Something that happens to the run from outside. */
export type EventPlan = 'none' | 'cancel' | 'request-cancel';

export interface RoundPlan {
  readonly say: SayPlan;
  readonly takesMs: number;
  readonly inputTokens: number;
  readonly event: EventPlan;
}

export interface SourcePlan {
  readonly act:
    | { readonly kind: 'lines'; readonly count: number }
    | { readonly kind: 'failed'; readonly code: AdapterErrorCode }
    | { readonly kind: 'throw' | 'hang' | 'late' | 'huge' | 'malformed' };
  readonly takesMs: number;
  readonly event: EventPlan;
}

/** A whole conversation: what the model does, what the sources do, what the caller allows. */
export interface ConversationPlan {
  readonly rounds: readonly RoundPlan[];
  readonly sources: readonly SourcePlan[];
  readonly budget: {
    readonly model_calls?: number;
    readonly tool_calls?: number;
    readonly tokens?: number;
    readonly bytes?: number;
    readonly time_ms?: number;
  };
}
