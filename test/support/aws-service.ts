import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** What a service of AWS answers: a body, or an error by the name of its exception. */
export type ServiceAnswer =
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: number; readonly error: string }
  | 'silence';

/** A stand-in for one JSON service of AWS over HTTP, gone with the test. */
export interface ServiceStandIn {
  readonly url: string;
  readonly requests: { readonly path: string; readonly target: string; readonly body: unknown }[];
}

/** Answers every request with the same answer, in the wire form that the SDK reads. */
export async function startService(answer: ServiceAnswer): Promise<ServiceStandIn> {
  const requests: { path: string; target: string; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({
      path: request.url ?? '',
      target: String(request.headers['x-amz-target'] ?? ''),
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
    });
    if (answer === 'silence') return;
    response.statusCode = answer.status;
    response.setHeader('content-type', 'application/json');
    if ('error' in answer) {
      response.setHeader('x-amzn-errortype', answer.error);
      response.end(JSON.stringify({ __type: answer.error, message: 'message-canary-8Wp' }));
    } else response.end(JSON.stringify(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP port was expected');
  return { url: `http://127.0.0.1:${address.port}`, requests };
}
