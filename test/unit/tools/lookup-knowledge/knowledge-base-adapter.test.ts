import type { KnowledgeBaseRetrievalResult } from '@aws-sdk/client-bedrock-agent-runtime';
import { describe, expect, it } from 'vitest';
import { knowledgeProjector } from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-projector.ts';
import { createRedactor } from '../../../../shared/redaction/redactor.ts';
import {
  anAdapter,
  chunkOf,
  contentOf,
  QUERY,
  rawOf,
  resultsOf,
  TEXT,
} from './a-knowledge-base.ts';

describe('the request', () => {
  it('asks once for twenty results of the query, leaving the kind of search to the service', async () => {
    const { ask, server } = await anAdapter(resultsOf([]));

    await ask();

    expect(server.requests).toEqual([
      {
        method: 'POST',
        path: '/knowledgebases/KB12345678/retrieve',
        body: {
          retrievalQuery: { text: QUERY },
          retrievalConfiguration: { vectorSearchConfiguration: { numberOfResults: 20 } },
        },
        wasAborted: false,
      },
    ]);
  });

  it('names the kind of search that the deployment configured', async () => {
    const { ask, server } = await anAdapter(resultsOf([]), { search_type: 'HYBRID' });

    await ask();

    expect(server.requests[0]?.body).toMatchObject({
      retrievalConfiguration: { vectorSearchConfiguration: { overrideSearchType: 'HYBRID' } },
    });
  });

  it('leaves the query out of what the audit keeps', async () => {
    const { ask } = await anAdapter(resultsOf([]));

    expect(await ask()).toMatchObject({
      kind: 'result',
      sourceKind: 'BEDROCK_KNOWLEDGE_BASE',
      window: null,
      executed: {
        statement: 'Retrieve default search, at most 20 results',
        window: null,
        sources: ['KB12345678'],
      },
    });
  });
});

describe('a hit', () => {
  it('keeps its place, title, text and score', async () => {
    const chunk = await chunkOf({
      content: TEXT,
      location: { type: 'S3', s3Location: { uri: 's3://docs/runbooks/payment%20timeout.md' } },
      score: 0.7312,
      metadata: { title: '支付超时处置', owner: 'sre' },
      documentId: 'doc-1',
    });

    expect(chunk).toEqual({
      document_id: 's3://docs/runbooks/payment%20timeout.md',
      title: '支付超时处置',
      text: TEXT.text,
      score: 0.7312,
    });
  });

  it.each<[string, Partial<KnowledgeBaseRetrievalResult>, string, string]>([
    ['nothing but text', {}, 'result-1', 'result-1'],
    ['a document id', { documentId: 'doc-9' }, 'doc-9', 'doc-9'],
    [
      'a page of the web',
      { location: { type: 'WEB', webLocation: { url: 'https://wiki.example.com/a/redis?x=1#y' } } },
      'https://wiki.example.com/a/redis?x=1#y',
      'redis',
    ],
    [
      'a page of Confluence',
      {
        location: { type: 'CONFLUENCE', confluenceLocation: { url: 'https://c.example.com/p/7/' } },
      },
      'https://c.example.com/p/7/',
      '7',
    ],
    [
      'a document of the customer’s own',
      { location: { type: 'CUSTOM', customDocumentLocation: { id: 'runbook-17' } } },
      'runbook-17',
      'runbook-17',
    ],
    [
      'a location without a place',
      { location: { type: 'S3' }, documentId: 'doc-9' },
      'doc-9',
      'doc-9',
    ],
    [
      'a place in its metadata only',
      { metadata: { 'x-amz-bedrock-kb-source-uri': 's3://docs/a.md' } },
      's3://docs/a.md',
      'a.md',
    ],
    ['metadata that is no text', { metadata: { title: 7, name: ' ' } }, 'result-1', 'result-1'],
  ])('with %s is named after what there is', async (_what, hit, document_id, title) => {
    expect(await chunkOf({ content: TEXT, ...hit })).toEqual({
      document_id,
      title,
      text: TEXT.text,
    });
  });

  it.each<[string, KnowledgeBaseRetrievalResult]>([
    ['a picture', { content: { type: 'IMAGE', byteContent: 'data:image/png;base64,AAAA' } }],
    ['a picture with a text', { content: { type: 'IMAGE', byteContent: 'AAAA', text: '图' } }],
    ['a recording', { content: { type: 'AUDIO', audio: { s3Uri: 's3://a', transcription: 'x' } } }],
    ['a film', { content: { type: 'VIDEO', video: { s3Uri: 's3://a', summary: 'x' } } }],
    ['a row', { content: { type: 'ROW', row: [{ columnName: 'a', columnValue: 'b' }] } }],
    ['a kind of the future', { content: { type: 'MODEL' as never, text: 'x' } }],
    ['a text of blanks', { content: { type: 'TEXT', text: ' \n' } }],
    ['no content', { content: undefined }],
  ])('of %s is skipped and counted', async (_what, hit) => {
    const { ask } = await anAdapter(resultsOf([hit, { content: TEXT, score: 0.5 }]));

    expect(contentOf(await ask())).toEqual({
      chunks: [{ document_id: 'result-2', title: 'result-2', text: TEXT.text, score: 0.5 }],
      skipped_count: 1,
    });
  });

  it('without a type is text, as it was before there were types', async () => {
    expect(await chunkOf({ content: { text: TEXT.text } })).toMatchObject({ text: TEXT.text });
  });

  it('reaches the observation in the form of every other source', async () => {
    const { ask } = await anAdapter(
      resultsOf([
        { content: TEXT, documentId: 'doc-1', score: 0.9 },
        { content: { type: 'IMAGE', byteContent: 'AAAA' }, documentId: 'doc-2' },
      ]),
    );

    const projection = knowledgeProjector.project(rawOf(await ask()), {
      input: { query: QUERY },
      window: null,
      redactor: createRedactor(),
      maxBodyBytes: 9_000,
    });

    expect(projection).toMatchObject({
      kind: 'projected',
      evidenceStatus: 'EVIDENCE_FOUND',
      body: {
        evidence: [{ document_id: 'doc-1', title: 'doc-1', excerpt: TEXT.text, score: 0.9 }],
        skipped_count: 1,
      },
    });
  });

  it('is missing where nothing matches', async () => {
    const { ask } = await anAdapter(resultsOf([]));

    expect(contentOf(await ask())).toEqual({ chunks: [], skipped_count: 0 });
  });
});
