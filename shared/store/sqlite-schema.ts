import type { SqliteDatabase } from './sqlite-database.ts';
import { recordUnavailable } from './store-failure.ts';
import { refuseNewer, SCHEMA_VERSION } from './stored-form.ts';

/** Marks a file as a record of diagnosis runs ("INCD"), in SQLite's own header field for that. */
const APPLICATION_ID = 0x49_4e_43_44;

/**
 * Makes the tables in an empty file; leaves a file of ours as it is.
 *
 * @throws HarnessError `RECORD_UNAVAILABLE` for a foreign or damaged file or one of a newer version;
 * nothing in it is changed.
 */
export function prepareSchema(database: SqliteDatabase): void {
  const isNew = checkOwner(database) === 'empty';
  // Readers go on while one process writes; FULL syncs each commit, so that a settled run survives a power cut.
  database.execute('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  if (!isNew) return;
  database.atomically(() => {
    if (checkOwner(database) === 'empty') database.execute(SCHEMA); // another process may have been first
  });
}

function checkOwner(database: SqliteDatabase): 'empty' | 'ours' {
  const owner = database.first('PRAGMA application_id')?.['application_id'];
  if (owner === APPLICATION_ID) {
    refuseNewer('file', database.first('PRAGMA user_version')?.['user_version']);
    return 'ours';
  }
  if (database.first('SELECT 1 FROM sqlite_schema LIMIT 1') === null) return 'empty';
  throw recordUnavailable('its file is a database of something else');
}

const SCHEMA = `
CREATE TABLE run (
  run_id TEXT PRIMARY KEY,
  schema_version INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  request_sha256 TEXT NOT NULL,
  status TEXT NOT NULL,
  fence TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  lease_expires_at TEXT NOT NULL,
  finished_at TEXT,
  cancel_requested_at TEXT,
  expires_at TEXT NOT NULL,
  identity TEXT NOT NULL,
  seal_sha256 TEXT,
  request TEXT NOT NULL,
  outcome TEXT
);
CREATE INDEX run_by_session ON run (session_id, created_at, run_id);
CREATE INDEX run_by_creation ON run (created_at, run_id);

CREATE TABLE step (
  run_id TEXT NOT NULL REFERENCES run,
  sequence INTEGER NOT NULL,
  schema_version INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  at TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (run_id, sequence)
);

CREATE TABLE invocation (
  run_id TEXT NOT NULL REFERENCES run,
  tool_call_id TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  tool_name TEXT NOT NULL,
  fence TEXT NOT NULL,
  input TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  status TEXT NOT NULL,
  raw TEXT,
  evidence_status TEXT,
  observation TEXT,
  observation_sha256 TEXT,
  truncated INTEGER,
  executed TEXT,
  error_code TEXT,
  settled_at TEXT,
  PRIMARY KEY (run_id, tool_call_id)
);

CREATE TABLE raw_chunk (
  run_id TEXT NOT NULL REFERENCES run,
  tool_call_id TEXT NOT NULL,
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (run_id, tool_call_id, part)
);

CREATE TABLE legend (
  run_id TEXT PRIMARY KEY REFERENCES run,
  legend TEXT NOT NULL,
  expires_at TEXT NOT NULL
);

PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;
