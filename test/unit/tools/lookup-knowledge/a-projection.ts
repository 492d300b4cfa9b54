import type { ProjectionRequest } from '../../../../functions/diagnosis/evidence/result-projector.ts';
import { knowledgeProjector } from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-projector.ts';
import {
  encodeKnowledgeResult,
  type KnowledgeChunk,
} from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-result.ts';
import { KnowledgeObservationSchema } from '../../../../shared/contracts/observation.ts';
import type { LookupKnowledgeInput } from '../../../../shared/contracts/tool-inputs.ts';
import { createRedactor } from '../../../../shared/redaction/redactor.ts';

/** What a test may set of the request and the raw result. */
export interface Options extends Partial<LookupKnowledgeInput> {
  readonly maxBodyBytes?: number;
  readonly skipped?: number;
}

type Projected = ReturnType<typeof project>;

/** The projection of these chunks under a request with valid defaults. */
export function project(
  chunks: readonly KnowledgeChunk[],
  { skipped = 0, ...options }: Options = {},
) {
  return knowledgeProjector.project(
    encodeKnowledgeResult({ chunks, skipped_count: skipped }),
    aRequest(options),
  );
}

/** A request with valid defaults. */
export function aRequest({
  maxBodyBytes = 9_000,
  ...input
}: Options = {}): ProjectionRequest<LookupKnowledgeInput> {
  return {
    input: { query: '连接池', ...input },
    window: null,
    redactor: createRedactor(),
    maxBodyBytes,
  };
}

/** A chunk with valid defaults. */
export function aChunk(chunk: Partial<KnowledgeChunk> = {}): KnowledgeChunk {
  return { document_id: 'a.md', title: '标题', text: '正文。', score: 1, ...chunk };
}

/** The body, or undefined of malformed bytes. */
export function bodyOf(projection: Projected) {
  return projection.kind === 'projected' ? projection.body : undefined;
}

/** The entries shown. */
export function evidenceIn(projection: Projected) {
  return bodyOf(projection)?.evidence ?? [];
}

/** The entries shown of these chunks. */
export function evidenceOf(chunks: readonly KnowledgeChunk[], options: Options = {}) {
  return evidenceIn(project(chunks, options));
}

/** The facts. */
export function factsOf(projection: Projected): readonly string[] {
  return projection.kind === 'projected' ? projection.facts : ['malformed'];
}

/** What the contract says of an observation with this body. */
export function observationOf(projection: Projected, { query, max_results }: Options) {
  return KnowledgeObservationSchema.safeParse({
    tool_call_id: 'call-1',
    evidence_status: projection.kind === 'projected' ? projection.evidenceStatus : 'ERROR',
    source_kind: 'MARKDOWN',
    scope: { request: { query, max_results }, window: null, notes: [] },
    truncated: false,
    ...bodyOf(projection),
  });
}
