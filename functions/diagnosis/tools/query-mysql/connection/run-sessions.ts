import type { QueryHeader } from '../../../../../shared/contracts/query-header.ts';
import type { MysqlSession } from './mysql-session.ts';
import type { MysqlTarget } from './mysql-target.ts';

/** The server a query asks for. */
export type TargetName = QueryHeader['target'];

/** The sessions of one run: at most one for each target at a time, opened when first needed. */
export class RunSessions implements AsyncDisposable {
  readonly #targets: Readonly<Record<TargetName, MysqlTarget>>;
  readonly #current = new Map<MysqlTarget, MysqlSession>();
  readonly #opened: MysqlSession[] = [];

  constructor(targets: Readonly<Record<TargetName, MysqlTarget>>) {
    this.#targets = targets;
  }

  /** @throws MysqlFailure, or the signal's reason when it aborts */
  async session(name: TargetName, signal: AbortSignal): Promise<MysqlSession> {
    const target = this.#targets[name];
    const current = this.#current.get(target);
    if (current?.isUsable) return current;
    const opened = await target.open(signal);
    this.#current.set(target, opened);
    this.#opened.push(opened);
    return opened;
  }

  /** Closes every session of the run; statements that are being killed are waited for. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#opened.map((session) => session.close()));
  }
}
