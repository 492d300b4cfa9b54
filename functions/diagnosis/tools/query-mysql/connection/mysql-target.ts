import { canWrite } from './mysql-grants.ts';
import { MysqlSession, type SessionTerms } from './mysql-session.ts';

/** One server of a deployment: opens sessions, and looks once at what its user may do. */
export class MysqlTarget {
  readonly #terms: SessionTerms;
  #grantsAreRead = false;

  constructor(terms: SessionTerms) {
    this.#terms = terms;
  }

  /**
   * Opens a session. The first one reads the user's grants and reports `MYSQL_USER_CAN_WRITE` where
   * they allow more than reading; the catalogue's guard and the read-only transaction hold all the same.
   *
   * @throws MysqlFailure, or the signal's reason when it aborts
   */
  async open(signal: AbortSignal): Promise<MysqlSession> {
    const session = await MysqlSession.open(this.#terms, signal);
    if (!this.#grantsAreRead) await this.#readGrants(session, signal);
    return session;
  }

  async #readGrants(session: MysqlSession, signal: AbortSignal): Promise<void> {
    const { reportFault } = this.#terms;
    try {
      if (canWrite(await session.grants(signal))) reportFault({ name: 'MYSQL_USER_CAN_WRITE' });
      this.#grantsAreRead = true;
    } catch (error) {
      signal.throwIfAborted();
      if (!session.isUsable) throw error;
      reportFault({ name: 'MYSQL_GRANTS_NOT_READ' });
    }
  }
}
