import fc from 'fast-check';
import type { AdapterErrorCode } from '../../functions/diagnosis/evidence/tool-adapter.ts';
import type {
  CallPlan,
  ConversationPlan,
  DraftPlan,
  EventPlan,
  ItemPlan,
  PreviousPlan,
  RoundPlan,
  SayPlan,
  SourcePlan,
} from './conversation-plan.ts';
import { SCRIPTED_TOPICS } from './scripted-sources.ts';

/** The first value, but one time in `oneIn` one of the others. */
function usually<Value>(oneIn: number, usual: Value, ...others: readonly Value[]) {
  return fc.oneof(
    { weight: oneIn - 1, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}

const logsInput = fc.record({
  topic: fc.constantFrom(...SCRIPTED_TOPICS),
  query: fc.constantFrom('', 'timeout', 'TIMEOUT', 'lock wait', 'level=ERROR', 'AND ('),
  lookback_minutes: usually(12, 60, 61, 10, 500, 0, 20_000),
});
const mysqlInput = fc.record({
  query_name: usually(3, 'lock_waits', 'slow_queries', 'unknown_query'),
  parameters: usually(3, {}, { seconds: 10 }, { seconds: 20 }, { seconds: '20' }, { sql: 'x' }),
});
const knowledgeInput = fc.record(
  { query: usually(9, '锁等待', '连接池', ' '), max_results: usually(9, 3, 1, 6) },
  { requiredKeys: ['query'] },
);
const skillInput = fc.record({
  name: fc.constantFrom('diagnose-payment-timeout', 'diagnose-slow-response', '../secrets'),
});

const asked = fc.oneof(
  { weight: 5, arbitrary: fc.record({ name: fc.constant('query_logs'), business: logsInput }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('query_mysql'), business: mysqlInput }) },
  {
    weight: 3,
    arbitrary: fc.record({ name: fc.constant('lookup_knowledge'), business: knowledgeInput }),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('read_skill'), business: skillInput }) },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constantFrom('run_sql', 'query.logs$', '', 'q'.repeat(65)),
      business: fc.jsonValue({ maxDepth: 2 }),
    }),
  },
);

const call: fc.Arbitrary<CallPlan> = fc
  .record({
    asked,
    wrap: usually<CallPlan['wrap']>(8, 'envelope', 'bare', 'text', 'list', 'extra-key', 'nothing'),
    previous: usually<PreviousPlan>(
      2,
      'gained',
      'no-gain',
      'no-gain',
      'absent',
      'null',
      'foreign',
      'without-evaluation',
      'text',
    ),
    id: usually<CallPlan['id']>(150, 'fresh', 'repeated', 'malformed'),
  })
  .map(({ asked: { name, business }, ...rest }) => ({ name, business, ...rest }));

const item: fc.Arbitrary<ItemPlan> = fc.record({
  negative: fc.boolean(),
  cites: usually<ItemPlan['cites']>(5, 'found', 'nothing', 'invented', 'any'),
  quote: usually<ItemPlan['quote']>(4, 'shown', 'changed', 'none', 'none'),
});

const draft: fc.Arbitrary<DraftPlan> = fc.record({
  concludes: fc.boolean(),
  items: fc.array(item, { maxLength: 3 }),
  missingInfo: usually(9, true, false),
  link: usually(19, false, true),
  wrap: usually<DraftPlan['wrap']>(6, 'plain', 'fenced', 'prefixed', 'twice', 'cut'),
});

const ODD_STOPS = [
  'max_tokens',
  'end_turn',
  'tool_use',
  'stop_sequence',
  'guardrail_intervened',
  'content_filtered',
  'malformed_model_output',
  'malformed_tool_use',
  'model_context_window_exceeded',
  'never_heard_of',
];

const say: fc.Arbitrary<SayPlan> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      calls: fc.array(call, { minLength: 1, maxLength: 5 }),
      stopReason: usually(50, 'tool_use', ...ODD_STOPS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('draft' as const),
      draft,
      stopReason: usually(12, 'end_turn', ...ODD_STOPS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: fc.constantFrom('', ' ', '{}', '[]', 'null', '我认为是锁等待', '{"conclusion":'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<SayPlan>(
      { kind: 'error', status: 429, type: 'ThrottlingException' },
      { kind: 'error', status: 503, type: 'ServiceUnavailableException' },
      { kind: 'error', status: 400, type: 'ValidationException' },
      { kind: 'error', status: 418, type: 'TeapotException' },
    ),
  },
);

const takesMs = usually(4, 0, 900, 900, 7_000, 7_000, 45_000, 45_000, 300_000);
const event = usually<EventPlan>(60, 'none', 'cancel', 'request-cancel');

const round: fc.Arbitrary<RoundPlan> = fc.record({
  say,
  takesMs,
  inputTokens: usually(8, 900, 12_000, 90_000),
  event,
});

const source: fc.Arbitrary<SourcePlan> = fc.record({
  act: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('lines' as const),
        count: fc.constantFrom(1, 2, 80),
      }),
    },
    { weight: 4, arbitrary: fc.constant({ kind: 'lines' as const, count: 0 }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('failed' as const),
        code: fc.constantFrom<AdapterErrorCode>(
          'SOURCE_UNAVAILABLE',
          'SOURCE_THROTTLED',
          'SOURCE_DENIED',
          'SCAN_LIMIT',
          'TOPIC_UNKNOWN',
          'BINDING_MISSING',
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('throw', 'hang', 'late', 'huge', 'malformed'),
      }),
    },
  ),
  takesMs,
  event,
});

/** Random conversations. Limits are odd numbers that nothing else is likely to spell. */
export const conversation: fc.Arbitrary<ConversationPlan> = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 12, size: 'max' }),
  sources: fc.array(source, { maxLength: 12, size: 'max' }),
  budget: fc.record(
    {
      model_calls: usually(3, 10, 1, 2, 3, 4, 5, 7),
      tool_calls: usually(3, 16, 1, 2, 3, 5),
      tokens: usually(4, 399_989, 32_779, 65_537),
      bytes: usually(4, 524_287, 81_937, 99_991),
      time_ms: usually(4, 899_981, 20_011, 119_993),
    },
    { requiredKeys: [] },
  ),
});
