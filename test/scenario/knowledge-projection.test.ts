import { describe, expect, it } from 'vitest';
import {
  type KnowledgeObservation,
  KnowledgeObservationSchema,
} from '../../shared/contracts/observation.ts';
import { capsuleTools } from '../support/capsule-tools.ts';
import { conclude } from '../support/drafts.ts';
import { play, rawCall, round } from '../support/played.ts';

const SENTENCE = 'Lock wait timeout exceeded means that a row stayed locked.';

describe('Serialized RAG output', () => {
  it('contains only the frozen fields', async () => {
    const shown = await look({ 'lock.md': aDocument('Lock wait', SENTENCE) });

    expect(Object.keys(shown).sort()).toEqual([
      'evidence',
      'evidence_status',
      'scope',
      'skipped_count',
      'source_kind',
      'tool_call_id',
      'truncated',
    ]);
    expect(Object.keys(shown.scope).sort()).toEqual(['notes', 'request', 'window']);
    expect(shown.evidence.map((entry) => Object.keys(entry).sort())).toEqual([
      ['document_id', 'excerpt', 'score', 'title'],
    ]);
  });

  it('names the exact id, the request as it was asked, and the source', async () => {
    const shown = await look({ 'lock.md': aDocument('Lock wait', SENTENCE) });

    expect(shown).toMatchObject({
      tool_call_id: 'call-1',
      evidence_status: 'EVIDENCE_FOUND',
      source_kind: 'MOCK',
      scope: { request: { query: 'lock wait timeout' }, window: null, notes: [] },
    });
  });

  it('names the documents of a deployment as what they are', async () => {
    const files = { 'lock.md': aDocument('Lock wait', SENTENCE) };

    const shown = await look(files, { shippedSample: false });

    expect(shown.source_kind).toBe('MARKDOWN');
  });

  it('holds excerpts that stand in the document word for word', async () => {
    const text = `连接被占满时，${SENTENCE}\n排查：先看 innodb_trx。`;

    const shown = await look({ 'lock.md': aDocument('Lock wait', text) });

    const [entry] = shown.evidence;
    expect(aDocument('Lock wait', text)).toContain(entry?.excerpt);
    expect(entry?.excerpt).toContain(SENTENCE);
  });

  it('shows a document once, however many of its parts match', async () => {
    const parts = ['Symptoms', 'Causes', 'Cure'].map((part) =>
      `## ${part}\n\n${part}: ${SENTENCE} `.padEnd(900, 'x'),
    );

    const shown = await look({ 'lock.md': `# Lock wait\n\n${parts.join('\n\n')}\n` });

    expect(shown.evidence).toHaveLength(1);
    expect(shown.truncated).toBe(true);
  });

  it.each([
    [5, 5, false],
    [6, 5, true],
  ])('of %i documents shows %i: truncated is %s', async (count, returned, truncated) => {
    const files = Array.from({ length: count }, (_none, at) => [
      `doc-${at}.md`,
      aDocument(`Lock wait ${at}`, `Case ${at}. ${SENTENCE}`),
    ]);

    const shown = await look(Object.fromEntries(files), { maxResults: 5 });

    expect(shown.evidence).toHaveLength(returned);
    expect(shown.truncated).toBe(truncated);
  });

  it.each([
    [1_200, false],
    [1_201, true],
  ])('of a text of %i bytes shows at most 1,200: truncated is %s', async (bytes, truncated) => {
    const text = `${SENTENCE} `.padEnd(bytes, 'x');

    const shown = await look({ 'lock.md': aDocument('', text) });

    const excerpt = shown.evidence[0]?.excerpt ?? '';
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1_200);
    expect(excerpt === text).toBe(!truncated);
    expect(shown.truncated).toBe(truncated);
  });

  it('says how many documents could not be read', async () => {
    const files = { 'lock.md': aDocument('Lock wait', SENTENCE), 'binary.md': '\u0000\u0001' };

    const shown = await look(files);

    expect(shown.skipped_count).toBe(1);
    expect(shown.truncated).toBe(false);
  });
});

interface LookOptions {
  readonly maxResults?: number;
  readonly shippedSample?: boolean;
}

/** The one observation of a whole diagnosis that asks the documents once, held to its contract. */
async function look(
  documents: Readonly<Record<string, string>>,
  { maxResults, shippedSample = true }: LookOptions = {},
): Promise<KnowledgeObservation> {
  const files = Object.fromEntries(
    Object.entries(documents).map(([name, text]) => [`knowledge/${name}`, text]),
  );
  const input = {
    query: 'lock wait timeout',
    ...(maxResults !== undefined && { max_results: maxResults }),
  };
  const evidence = await capsuleTools({ files, shippedSample });
  const answers = [round(rawCall('lookup_knowledge', { input })), conclude()];
  const { shownAfter } = await play(answers, { evidence });
  return KnowledgeObservationSchema.parse(shownAfter(1)[0]);
}

function aDocument(title: string, text: string): string {
  return title === '' ? `${text}\n` : `# ${title}\n\n${text}\n`;
}
