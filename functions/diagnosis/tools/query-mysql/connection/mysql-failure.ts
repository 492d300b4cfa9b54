import { sourceCodeOfAws } from '../../aws-failure.ts';

/** Stable codes that a failing server can end a call in. */
export type MysqlFailureCode =
  | 'SOURCE_UNAVAILABLE'
  | 'SOURCE_DENIED'
  | 'SOURCE_THROTTLED'
  | 'SOURCE_FAILED'
  | 'RAW_TOO_LARGE';

/** What was being done when it failed. */
export type MysqlPhase = 'login' | 'connect' | 'query';

/** A failure of the source in our words. The vendor's words stay behind: they name hosts and users. */
export class MysqlFailure extends Error {
  readonly code: MysqlFailureCode;

  /** @param fault The vendor's code, such as `ER_NO_SUCH_TABLE`, for the log. */
  constructor(code: MysqlFailureCode, fault: string) {
    super(code);
    this.name = fault;
    this.code = code;
  }
}

/** Reads whatever a phase threw. */
export function toMysqlFailure(thrown: unknown, phase: MysqlPhase): MysqlFailure {
  if (thrown instanceof MysqlFailure) return thrown;
  const fault = faultName(thrown);
  if (phase === 'login') return new MysqlFailure(sourceCodeOfAws(thrown), fault);
  if (isDenial(thrown)) return new MysqlFailure('SOURCE_DENIED', fault);
  const isGone = phase === 'connect' || isConnectionLost(thrown);
  return new MysqlFailure(isGone ? 'SOURCE_UNAVAILABLE' : 'SOURCE_FAILED', fault);
}

/** Errors by which MySQL and MariaDB refuse a login or a privilege; numbers never change. */
const DENIALS: ReadonlySet<unknown> = new Set([
  1044, // no access to this schema
  1045, // wrong password, expired token
  1130, // this client's host may not connect
  1142, // no access to this table
  1143, // no access to this column
  1227, // a privilege is missing, such as PROCESS
  1370, // no access to this routine
  1410, // not allowed to grant, so not a reader's business
  1698, // no password given, or none that counts
  1820, // the password must be changed first
  1862, // the password has expired
  3118, // the account is locked
  3159, // the account asks for TLS
  4151, // the account is locked, MariaDB
]);

/** Errors of a server that takes no work now: full, shutting down, offline. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  1040, // too many connections
  1053, // shutting down
  1129, // this client's host is blocked after many failures
  1203, // too many connections of this user
  1226, // a limit of this user is used up
  1927, // the connection was killed, MariaDB
  3032, // offline mode
  4031, // closed for being idle
]);

function isDenial(thrown: unknown): boolean {
  return DENIALS.has(property(thrown, 'errno'));
}

function isConnectionLost(thrown: unknown): boolean {
  return property(thrown, 'fatal') === true || REFUSALS.has(property(thrown, 'errno'));
}

/** A name that is safe in a log: codes of driver, server and SDK are plain words. */
function faultName(thrown: unknown): string {
  const code = property(thrown, 'code') ?? property(thrown, 'name');
  return typeof code === 'string' && /^[A-Za-z][A-Za-z0-9_]{1,80}$/.test(code) ? code : 'Error';
}

function property(thrown: unknown, key: string): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined;
}
