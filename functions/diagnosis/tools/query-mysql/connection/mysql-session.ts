import type { MysqlEndpoint } from '../../../../../shared/contracts/mysql-source.ts';
import type { PositionalStatement } from '../positional-statement.ts';
import { type MysqlFailure, toMysqlFailure } from './mysql-failure.ts';
import type { CredentialSource } from './mysql-login.ts';
import { type OpenConnection, openConnection } from './mysql-socket.ts';
import { type FetchedRows, streamRows } from './row-stream.ts';

/** Whom a session talks to, and whom it tells of a fault that no call ends in. */
export interface SessionTerms {
  readonly endpoint: MysqlEndpoint;
  readonly credentials: CredentialSource;
  readonly reportFault: (fault: { readonly name: string }) => void;
}

/** Bounds of one statement. */
export interface FetchTerms {
  readonly rowLimit: number;
  /** Milliseconds that the call has; the server gives up a little later by itself. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Characters of a result's values; what a raw result may have before compression. */
const MAX_CHARACTERS = 32 * 1_024 * 1_024;

/** The server's own timeout is behind ours: it is the net for a statement that could not be killed. */
const SERVER_GRACE_MS = 1_000;

/** Fresh time for killing a statement, once the call itself is over; milliseconds. */
const KILL_TIMEOUT_MS = 2_000;

/** Time for a polite goodbye; milliseconds. */
const GOODBYE_TIMEOUT_MS = 500;

// The guard reads statements by MySQL's default lexical modes, whatever the server's default is.
const SESSION_SETTINGS = `SET NAMES utf8mb4, time_zone = '+00:00',
  sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`;

/** One connection to one server, kept for one run; it reads only, one statement at a time. */
export class MysqlSession {
  readonly #terms: SessionTerms;
  readonly #open: OpenConnection;
  #isMariaDb = false;
  #isUsable = true;
  /** A statement of the catalogue's may be at work on the server. */
  #isRunning = false;
  #killing: Promise<void> = Promise.resolve();

  private constructor(terms: SessionTerms, open: OpenConnection) {
    this.#terms = terms;
    this.#open = open;
    open.socket.once('close', () => {
      this.#isUsable = false;
    });
  }

  /** @throws MysqlFailure, or the signal's reason when it aborts */
  static async open(terms: SessionTerms, signal: AbortSignal): Promise<MysqlSession> {
    const credentials = await loginWith(terms.credentials, signal);
    const session = new MysqlSession(
      terms,
      await openConnection(terms.endpoint, credentials, signal),
    );
    try {
      await session.#within(signal, () => session.#settle());
      return session;
    } catch (error) {
      session.#drop();
      throw error;
    }
  }

  /** False once the connection is gone or was dropped on purpose. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** The user's own grants, one line each. */
  async grants(signal: AbortSignal): Promise<readonly string[]> {
    const rows = await this.#within(signal, () => this.#ask('SHOW GRANTS'));
    return rows.flat().map(String);
  }

  /**
   * Runs one prepared statement in a read-only transaction. When the signal aborts, the statement is
   * killed on the server and the connection dropped; so it is when there are more rows than wanted.
   *
   * @throws MysqlFailure, or the signal's reason when it aborts
   */
  async fetch(
    statement: PositionalStatement,
    { rowLimit, timeoutMs, signal }: FetchTerms,
  ): Promise<FetchedRows> {
    return this.#within(signal, async () => {
      await this.#ask(this.#timeoutStatement(timeoutMs + SERVER_GRACE_MS));
      await this.#ask('START TRANSACTION READ ONLY');
      const bounds = { rowLimit, maxCharacters: MAX_CHARACTERS };
      this.#isRunning = true;
      const fetched = await streamRows(this.#open.connection, { ...statement, ...bounds });
      if (fetched.isCut) this.#abandon();
      else await this.#rollback();
      return fetched;
    });
  }

  /** Says goodbye, waits for a statement that is being killed, and never throws. */
  async close(): Promise<void> {
    if (this.#isUsable) await this.#goodbye();
    this.#isUsable = false;
    this.#open.socket.destroy();
    await this.#killing;
  }

  async #settle(): Promise<void> {
    await this.#ask(SESSION_SETTINGS);
    // Beyond the transaction itself: MariaDB lets a DROP out of one.
    await this.#ask('SET SESSION TRANSACTION READ ONLY');
    const [[version] = []] = await this.#ask('SELECT VERSION()');
    this.#isMariaDb = String(version).includes('MariaDB');
  }

  #timeoutStatement(milliseconds: number): string {
    return this.#isMariaDb
      ? `SET SESSION max_statement_time = ${milliseconds / 1_000}`
      : `SET SESSION max_execution_time = ${milliseconds}`;
  }

  /** A statement of our own, never one of the catalogue's. */
  async #ask(sql: string): Promise<readonly (readonly unknown[])[]> {
    const answer = Promise.withResolvers<readonly (readonly unknown[])[]>();
    this.#open.connection.query({ sql }, (error, rows) => {
      if (error) answer.reject(error);
      else answer.resolve(Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : []);
    });
    return answer.promise;
  }

  async #within<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => {
      this.#abandon();
      aborted.reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([work(), aborted.promise]);
    } catch (error) {
      signal.throwIfAborted();
      throw await this.#afterFailure(toMysqlFailure(error, 'query'));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Leaves the connection as it was before, or leaves it for good. */
  async #afterFailure(failure: MysqlFailure): Promise<MysqlFailure> {
    if (failure.code === 'RAW_TOO_LARGE') this.#abandon();
    if (!this.#isUsable || failure.code === 'SOURCE_UNAVAILABLE') {
      this.#drop();
      return failure;
    }
    try {
      await this.#rollback();
    } catch {
      this.#drop(); // The failure that is told is the one before.
    }
    return failure;
  }

  async #rollback(): Promise<void> {
    this.#isRunning = false;
    await this.#ask('ROLLBACK');
  }

  #drop(): void {
    this.#isUsable = false;
    this.#open.socket.destroy();
  }

  #abandon(): void {
    if (!this.#isUsable) return;
    this.#drop();
    if (this.#isRunning) this.#killing = this.#kill();
  }

  /** A server notices a lost client only when it writes, so the statement is ended by name. */
  async #kill(): Promise<void> {
    const { endpoint, credentials, reportFault } = this.#terms;
    const signal = AbortSignal.timeout(KILL_TIMEOUT_MS);
    try {
      const second = await openConnection(endpoint, await loginWith(credentials, signal), signal);
      const killed = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => killed.reject(signal.reason), { once: true });
      second.connection.on('error', (error: unknown) => killed.reject(error));
      second.connection.query(`KILL QUERY ${this.#open.connection.threadId}`, () =>
        killed.resolve(),
      );
      await killed.promise.finally(() => second.socket.destroy());
    } catch {
      reportFault({ name: 'MYSQL_STATEMENT_NOT_KILLED' });
    }
  }

  async #goodbye(): Promise<void> {
    const said = Promise.withResolvers<void>();
    const timer = setTimeout(() => said.resolve(), GOODBYE_TIMEOUT_MS);
    this.#open.socket.once('close', () => said.resolve());
    this.#open.connection.end(() => said.resolve());
    await said.promise;
    clearTimeout(timer);
  }
}

async function loginWith(credentials: CredentialSource, signal: AbortSignal) {
  try {
    return await credentials(signal);
  } catch (error) {
    signal.throwIfAborted();
    throw toMysqlFailure(error, 'login');
  }
}
