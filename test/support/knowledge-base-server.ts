import { once } from 'node:events';
import { createServer, type Http2Session } from 'node:http2';
import type { RetrieveResponse } from '@aws-sdk/client-bedrock-agent-runtime';
import { onTestFinished } from 'vitest';

/** What the stand-in answers: a response in the service's own types, one of its errors, or never. */
export type RetrieveAnswer =
  | { readonly kind: 'results'; readonly response: RetrieveResponse }
  | { readonly kind: 'error'; readonly name: string; readonly status: number }
  | { readonly kind: 'text'; readonly status: number; readonly text: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'hang_up' };

/** `Retrieve` of Bedrock Knowledge Bases over HTTP/2, which the SDK speaks to it; gone with the test. */
export interface KnowledgeBaseServer {
  readonly url: string;
  readonly requests: readonly RecordedRetrieve[];
}

export interface RecordedRetrieve {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** True when the client went away before it was answered. */
  wasAborted: boolean;
}

/** Gives every request the same answer. */
export async function startKnowledgeBase(answer: RetrieveAnswer): Promise<KnowledgeBaseServer> {
  const requests: RecordedRetrieve[] = [];
  const sessions = new Set<Http2Session>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const recorded = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
      wasAborted: false,
    };
    requests.push(recorded);
    request.on('aborted', () => {
      recorded.wasAborted = true;
    });
    if (answer.kind === 'silence') return;
    if (answer.kind === 'hang_up') return request.stream.session?.destroy();
    const { status, text, headers } = toHttp(answer);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text);
  });
  server.on('session', (session) => sessions.add(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP port was expected');
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

function toHttp(answer: Exclude<RetrieveAnswer, { kind: 'silence' | 'hang_up' }>) {
  switch (answer.kind) {
    case 'results':
      return { status: 200, text: JSON.stringify(answer.response), headers: {} };
    case 'error': {
      const { name, status } = answer;
      const text = JSON.stringify({ message: 'message-canary-8Wp of 123456789012' });
      return { status, text, headers: { 'x-amzn-errortype': name } };
    }
    case 'text':
      return { status: answer.status, text: answer.text, headers: {} };
  }
}
