import { setTimeout as sleep } from 'node:timers/promises';
import type { BrainAnswer } from './brain.ts';
import type { RecordedRequest } from './converse-request.ts';

/** The part of a Node response that HTTP/1.1 and HTTP/2 have in common. */
export interface Outgoing {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  end(data: string): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** Bytes a trickling answer sends at a time. */
const TRICKLE_BYTES = 16;

/** An error as Bedrock sends it: the type in a header, the message in the body. */
export function sendError(
  outgoing: Outgoing,
  record: RecordedRequest,
  status: number,
  type: string,
  message: string,
): void {
  if (record.aborted || outgoing.headersSent) return;
  record.status = status;
  outgoing.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type });
  outgoing.end(JSON.stringify({ message }));
}

/** Writes what a brain answered; a `hang` stays open until the client gives up. */
export async function sendAnswer(
  outgoing: Outgoing,
  record: RecordedRequest,
  answer: Exclude<BrainAnswer, { kind: 'reset' }>,
  signal: AbortSignal,
): Promise<void> {
  if (!('kind' in answer)) return send(outgoing, record, 200, JSON_TYPE, wireJson(answer));
  switch (answer.kind) {
    case 'hang':
      return;
    case 'error':
      return sendError(outgoing, record, answer.status, answer.type, answer.message);
    case 'raw':
      return send(outgoing, record, answer.status, answer.contentType, answer.body);
    case 'trickle':
      record.status = 200;
      outgoing.writeHead(200, { 'content-type': JSON_TYPE });
      return trickle(outgoing, Buffer.from(wireJson(answer.body)), answer.everyMs, signal);
  }
}

const JSON_TYPE = 'application/json';

function send(
  outgoing: Outgoing,
  record: RecordedRequest,
  status: number,
  contentType: string,
  body: string,
): void {
  record.status = status;
  outgoing.writeHead(status, { 'content-type': contentType });
  outgoing.end(body);
}

async function trickle(
  outgoing: Outgoing,
  bytes: Uint8Array,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (let start = 0; start < bytes.byteLength; start += TRICKLE_BYTES) {
    if (signal.aborted) return;
    outgoing.write(bytes.subarray(start, start + TRICKLE_BYTES));
    await sleep(everyMs, undefined, { ref: false });
  }
  if (!signal.aborted) outgoing.end();
}

/** JSON as the service writes it: blobs in base64. */
function wireJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member instanceof Uint8Array ? Buffer.from(member).toString('base64') : member,
  );
}
