import type { ConverseBody } from './brain.ts';

/** What the server saw of one request; a test reads it afterwards. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0';
  /** The client's port: equal ports share a connection. */
  readonly remotePort: number;
  /** The body of a request that passed the checks, else null. */
  body: ConverseBody | null;
  /** Why the request was refused with a ValidationException, else null. */
  fault: string | null;
  /** The HTTP status of the answer, null as long as none was begun. */
  status: number | null;
  /** True when the client went away before the answer was complete, or the connection was reset. */
  aborted: boolean;
}

// A model id or the ARN of an inference profile has at most 2,048 characters (Converse API).
const CONVERSE_PATH = /^\/model\/([^/?#]{1,6144})\/converse$/;

/** The decoded model id of a Converse path, null for any other path. */
export function modelIdOf(path: string): string | null {
  const encoded = CONVERSE_PATH.exec(path)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // Not percent-encoding, so not a model id.
  }
}

/** The whole body as text, or null once it is longer than `maxBytes`. */
export async function readBody(
  incoming: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.byteLength;
    if (bytes <= maxBytes) chunks.push(chunk); // The rest is read off, or the client never sees the answer.
  }
  return bytes > maxBytes ? null : Buffer.concat(chunks).toString('utf8');
}
