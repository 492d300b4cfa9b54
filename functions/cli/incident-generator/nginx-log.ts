import { type LogEntry, plainEntry } from './log-file.ts';
import { accessLogTime, nginxErrorTime } from './wall-clock.ts';

/** One request as a gateway answered it. */
export interface GatewayRequest {
  /** The instant it was answered at. */
  readonly at: number;
  readonly client: string;
  readonly request: string;
  readonly status: number;
  readonly bytes: number;
  readonly agent: string;
  readonly seconds: number;
  /** `-` where the upstream never answered. */
  readonly upstreamSeconds: number | null;
  readonly upstream: string;
}

/** A line of the access log with request time, upstream time and upstream address behind the agent. */
export function accessEntry(request: GatewayRequest): LogEntry {
  const { at, client, status, bytes, agent, seconds, upstreamSeconds, upstream } = request;
  const times = `rt=${seconds.toFixed(3)} urt=${upstreamSeconds?.toFixed(3) ?? '-'} ua=${upstream}`;
  return plainEntry(
    at,
    `${client} - - [${accessLogTime(at)}] "${request.request}" ${status} ${bytes} "-" "${agent}" ${times}`,
  );
}

/** A line of the error log for a request whose upstream did not answer in time. */
export function upstreamTimeoutEntry(
  { at, client, request, upstream }: GatewayRequest,
  { connection, host }: { readonly connection: number; readonly host: string },
): LogEntry {
  const path = request.split(' ')[1] ?? '/';
  return plainEntry(
    at,
    `${nginxErrorTime(at)} [error] 29#29: *${connection} upstream timed out (110: Connection timed out) while reading response header from upstream, client: ${client}, server: ${host}, request: "${request}", upstream: "http://${upstream}${path}", host: "${host}"`,
  );
}
