import { z } from 'zod';
import { limitSentence, nonBlankText } from './bounded-text.ts';

/** UTF-8 bytes of the model's last words, counted before anything parses them. */
export const MAX_DRAFT_BYTES = 16_384;

/** A passage of an observation, word for word; white space aside. */
const QuoteSchema = z.strictObject({
  tool_call_id: idText('引文所在的工具调用，必须是本条 tool_call_ids 之一'),
  text: text(
    500,
    '逐字摘自该次观察中同一条字符串（日志行、模式行、数据行、文档摘录或标题），去掉空白后至少 12 字节',
  ),
});
export type Quote = z.infer<typeof QuoteSchema>;

const AnalysisItemSchema = z.strictObject({
  type: z
    .enum(['OBSERVATION', 'NEGATIVE_OBSERVATION'])
    .describe('OBSERVATION：证据中看到的事实；NEGATIVE_OBSERVATION：查过而未发现的事实'),
  statement: text(2_000, '一条事实陈述，只写所引用的证据支持的内容'),
  tool_call_ids: z
    .array(idText('工具调用编号，如 call-1，与观察中给出的完全一致'))
    .min(1)
    .max(8)
    .describe('支持本条陈述的工具调用；NO_EVIDENCE 的调用只能由 NEGATIVE_OBSERVATION 引用'),
  quotes: z
    .array(QuoteSchema)
    .max(4)
    .nullish()
    .describe('证据原文引文；结论不为 null 时，至少一条引文来自 query_logs 或 query_mysql'),
});
export type AnalysisItem = z.infer<typeof AnalysisItemSchema>;

/** The one JSON object an agent may answer with. Parsed strictly, checked by the guard, never edited. */
export const DiagnosisDraftSchema = z
  .strictObject({
    conclusion: text(2_000, '诊断结论；证据不足以支持结论时为 null').nullable(),
    analysis: z.array(AnalysisItemSchema).max(12).describe('结论所依据的观察'),
    action_plan: z
      .array(text(1_000, '一个处置步骤'))
      .max(8)
      .describe('当前故障的处置步骤，按先后排列'),
    recommendations: z.array(text(1_000, '一条建议')).max(8).describe('长期改进建议'),
    limitations: z
      .strictObject({
        checked_scope: z
          .array(text(512, '一处已检查的范围'))
          .max(12)
          .describe('已检查的数据源、时间范围与对象；结论为 null 且查过数据时至少一条'),
        missing_info: z
          .array(text(512, '一项缺失的信息'))
          .max(12)
          .describe('得出或确认结论还缺的信息；结论为 null 时至少一条'),
      })
      .describe('本次诊断的边界'),
  })
  .describe(
    `整个回答就是这一个 JSON 对象，前后没有任何其他文字; ${limitSentence(MAX_DRAFT_BYTES)}`,
  );
export type DiagnosisDraft = z.infer<typeof DiagnosisDraftSchema>;

function idText(meaning: string) {
  return nonBlankText(64).describe(`${meaning}; ${limitSentence(64)}`);
}

/** Prose; a Chinese character takes three bytes, so half the bytes would be too many of them. */
function text(maxBytes: number, meaning: string) {
  const chineseCharacters = Math.floor(maxBytes / 3);
  return nonBlankText(maxBytes).describe(
    `${meaning}；中文不超过 ${chineseCharacters} 字; ${limitSentence(maxBytes)}`,
  );
}
