import type { MysqlSession } from './mysql-session.ts';
import { aTable, type Cell, type TableSnapshot } from './table-snapshot.ts';
import { utcDateTime } from './wall-clock.ts';

const THREAD_OF_PID = 41; // Threads of the server itself come first, so both numbers differ.

/** Where the sessions work, and which index entries those with a transaction lock. */
export interface SessionPlace {
  readonly schema: string;
  readonly table: string;
  readonly index: string;
}

/** The server's view of its sessions, as the tables of three system schemas. */
export function sessionTables(
  place: SessionPlace,
  sessions: readonly MysqlSession[],
): ReadonlyMap<string, TableSnapshot> {
  return new Map([
    ['information_schema/processlist', processlist(place, sessions)],
    ['information_schema/innodb_trx', transactions(sessions)],
    ['performance_schema/threads', threads(place, sessions)],
    ['performance_schema/events_statements_current', statements(sessions)],
    ['performance_schema/data_locks', locks(place, sessions)],
    ['performance_schema/data_lock_waits', lockWaits(sessions)],
    ['sys/innodb_lock_waits', sysLockWaits(place, sessions)],
  ]);
}

function processlist(place: SessionPlace, sessions: readonly MysqlSession[]): TableSnapshot {
  return aTable(
    'id bigint, user varchar, host varchar, db varchar, command varchar, time int, state varchar, info longtext',
    sessions.map((session) => [
      session.pid,
      session.user,
      session.host,
      schemaOf(place, session),
      session.command,
      session.seconds,
      session.state,
      session.running,
    ]),
  );
}

function schemaOf(place: SessionPlace, session: MysqlSession): string | null {
  return /_r[ow]$/.test(session.user) ? place.schema : null;
}

function transactions(sessions: readonly MysqlSession[]): TableSnapshot {
  return aTable(
    'trx_id bigint, trx_state varchar, trx_started datetime, trx_requested_lock_id varchar, trx_wait_started datetime, trx_mysql_thread_id bigint, trx_query varchar, trx_operation_state varchar, trx_rows_locked bigint, trx_rows_modified bigint, trx_isolation_level varchar',
    sessions.flatMap(({ pid, running, transaction }): Cell[][] => {
      if (!transaction) return [];
      const { id, startedAt, waitingSince, rowsLocked, rowsModified } = transaction;
      const waits = waitingSince !== null;
      return [
        [
          id,
          waits ? 'LOCK WAIT' : 'RUNNING',
          utcDateTime(startedAt),
          waits ? lockId(id) : null,
          waits ? utcDateTime(waitingSince) : null,
          pid,
          running,
          waits ? 'updating or deleting' : null,
          rowsLocked,
          rowsModified,
          'REPEATABLE READ',
        ],
      ];
    }),
  );
}

function threads(place: SessionPlace, sessions: readonly MysqlSession[]): TableSnapshot {
  return aTable(
    'thread_id bigint, name varchar, type varchar, processlist_id bigint, processlist_user varchar, processlist_host varchar, processlist_db varchar, processlist_command varchar, processlist_time bigint, processlist_state varchar, processlist_info longtext',
    sessions.map((session) => [
      session.pid + THREAD_OF_PID,
      'thread/sql/one_connection',
      'FOREGROUND',
      session.pid,
      session.user,
      session.host.split(':')[0] ?? session.host,
      schemaOf(place, session),
      session.command,
      session.seconds,
      session.state,
      session.running,
    ]),
  );
}

function statements(sessions: readonly MysqlSession[]): TableSnapshot {
  return aTable(
    'thread_id bigint, event_id bigint, end_event_id bigint, event_name varchar, sql_text longtext, nesting_event_level int',
    sessions
      .filter(({ lastStatement }) => lastStatement !== null)
      .map((session, index) => [
        session.pid + THREAD_OF_PID,
        1_000 + index,
        session.running === null ? 1_001 + index : null,
        'statement/com/Execute',
        session.lastStatement,
        0,
      ]),
  );
}

function locks(place: SessionPlace, sessions: readonly MysqlSession[]): TableSnapshot {
  return aTable(
    'engine varchar, engine_lock_id varchar, engine_transaction_id bigint, thread_id bigint, object_schema varchar, object_name varchar, index_name varchar, lock_type varchar, lock_mode varchar, lock_status varchar, lock_data varchar',
    sessions.flatMap(({ pid, transaction }): Cell[][] => {
      if (!transaction) return [];
      const waits = transaction.waitingSince !== null;
      return [
        [
          'INNODB',
          lockId(transaction.id),
          transaction.id,
          pid + THREAD_OF_PID,
          place.schema,
          place.table,
          place.index,
          'RECORD',
          waits ? 'X,INSERT_INTENTION' : 'X',
          waits ? 'WAITING' : 'GRANTED',
          'supremum pseudo-record',
        ],
      ];
    }),
  );
}

function lockWaits(sessions: readonly MysqlSession[]): TableSnapshot {
  return aTable(
    'engine varchar, requesting_engine_lock_id varchar, requesting_engine_transaction_id bigint, requesting_thread_id bigint, blocking_engine_lock_id varchar, blocking_engine_transaction_id bigint, blocking_thread_id bigint',
    waits(sessions).map(({ waiter, blocker }) => [
      'INNODB',
      lockId(waiter.trxId),
      waiter.trxId,
      waiter.session.pid + THREAD_OF_PID,
      lockId(blocker.trxId),
      blocker.trxId,
      blocker.session.pid + THREAD_OF_PID,
    ]),
  );
}

function sysLockWaits(place: SessionPlace, sessions: readonly MysqlSession[]): TableSnapshot {
  return aTable(
    'wait_age_secs int, locked_table varchar, locked_index varchar, waiting_pid bigint, waiting_query longtext, waiting_lock_mode varchar, blocking_pid bigint, blocking_query longtext, blocking_lock_mode varchar, blocking_trx_rows_locked bigint',
    waits(sessions).map(({ waiter, blocker }) => [
      waiter.session.seconds,
      `\`${place.schema}\`.\`${place.table}\``,
      place.index,
      waiter.session.pid,
      waiter.session.running,
      'X,INSERT_INTENTION',
      blocker.session.pid,
      blocker.session.running,
      'X',
      blocker.session.transaction?.rowsLocked ?? 0,
    ]),
  );
}

function waits(sessions: readonly MysqlSession[]) {
  const open = sessions.flatMap((session) =>
    session.transaction
      ? [{ session, trxId: session.transaction.id, since: session.transaction.waitingSince }]
      : [],
  );
  const holders = open.filter(({ since }) => since === null);
  return open
    .filter(({ since }) => since !== null)
    .flatMap((waiter) => holders.map((blocker) => ({ waiter, blocker })));
}

/** InnoDB spells a lock as engine address, space, page, heap number and object address. */
function lockId(trxId: number): string {
  return `139${trxId}:412:5:1:140${trxId}`;
}
