import { readExpression } from './sql-expression.ts';
import type { QueryReading } from './sql-query.ts';
import { refuseSql } from './sql-refusal.ts';
import { readTableName } from './sql-table.ts';
import { readVariableFilter, readVariablePattern } from './sql-variable-filter.ts';

/** Reads what follows SHOW: the forms that tell about load, locks, replication and metadata. */
export function readShow(reading: QueryReading): void {
  if (readLiteralForm(reading)) return;
  const isRead = FORMS.some((readForm) => readForm(reading));
  if (!isRead) refuseSql('STATEMENT_KIND');
}

/** Forms without arguments. SHOW GRANTS, CREATE USER and BINLOG EVENTS are left out on purpose. */
const LITERAL_FORMS = [
  'FULL PROCESSLIST',
  'PROCESSLIST',
  'ENGINE INNODB STATUS',
  'ENGINE INNODB MUTEX',
  'ENGINE PERFORMANCE_SCHEMA STATUS',
  'STORAGE ENGINES',
  'ENGINES',
  'BINARY LOG STATUS',
  'BINARY LOGS',
  'MASTER STATUS',
  'MASTER LOGS',
  'PLUGINS',
  'PRIVILEGES',
  'PROFILES',
].map((form) => form.split(' '));

const FORMS = [
  readStatus,
  readVariables,
  readReplicaStatus,
  readIndexes,
  readColumns,
  readCreate,
  readTables,
  readDiagnostics,
  readDiagnosticsCount,
  readProfile,
  readNameLists,
];

function readLiteralForm({ cursor }: QueryReading): boolean {
  return LITERAL_FORMS.some((words) => cursor.takeWords(...words));
}

function takeScoped({ cursor }: QueryReading, upperWord: string): boolean {
  return ['GLOBAL', 'SESSION', 'LOCAL'].some((scope) => cursor.takeWords(scope, upperWord))
    ? true
    : cursor.takeWords(upperWord);
}

function readStatus(reading: QueryReading): boolean {
  if (!takeScoped(reading, 'STATUS')) return false;
  readFilter(reading);
  return true;
}

/** All variables at once would show accounts and key files, so the filter is required. */
function readVariables(reading: QueryReading): boolean {
  if (!takeScoped(reading, 'VARIABLES')) return false;
  const { cursor } = reading;
  if (cursor.takeWords('LIKE')) readVariablePattern(reading);
  else if (cursor.takeWords('WHERE')) readVariableFilter(reading);
  else refuseSql('VARIABLE');
  return true;
}

function readReplicaStatus({ cursor }: QueryReading): boolean {
  if (!cursor.takeWords('REPLICA', 'STATUS') && !cursor.takeWords('SLAVE', 'STATUS')) return false;
  if (cursor.takeWords('FOR', 'CHANNEL')) cursor.expectKind('string');
  return true;
}

function readIndexes(reading: QueryReading): boolean {
  const { cursor } = reading;
  cursor.takeWords('EXTENDED');
  if (!cursor.takeAnyWord('INDEX', 'INDEXES', 'KEYS')) return false;
  readTableOfForm(reading);
  if (cursor.takeWords('WHERE')) readExpression(reading);
  return true;
}

function readColumns(reading: QueryReading): boolean {
  const { cursor } = reading;
  cursor.takeWords('EXTENDED');
  const isColumns = ['COLUMNS', 'FIELDS'].some(
    (word) => cursor.takeWords('FULL', word) || cursor.takeWords(word),
  );
  if (!isColumns) return false;
  readTableOfForm(reading);
  readFilter(reading);
  return true;
}

function readCreate(reading: QueryReading): boolean {
  const { cursor } = reading;
  if (cursor.takeWords('CREATE', 'TABLE') || cursor.takeWords('CREATE', 'VIEW')) {
    readTableName(reading);
    return true;
  }
  if (!cursor.takeWords('CREATE', 'DATABASE') && !cursor.takeWords('CREATE', 'SCHEMA')) {
    return false;
  }
  readSchemaName(reading);
  return true;
}

function readTables(reading: QueryReading): boolean {
  const { cursor } = reading;
  cursor.takeWords('EXTENDED');
  const isTables =
    cursor.takeWords('TABLE', 'STATUS') ||
    cursor.takeWords('OPEN', 'TABLES') ||
    cursor.takeWords('FULL', 'TABLES') ||
    cursor.takeAnyWord('TABLES', 'TRIGGERS', 'EVENTS');
  if (!isTables) return false;
  if (cursor.takeAnyWord('FROM', 'IN')) readSchemaName(reading);
  readFilter(reading);
  return true;
}

function readDiagnostics(reading: QueryReading): boolean {
  if (!reading.cursor.takeAnyWord('WARNINGS', 'ERRORS')) return false;
  readPlainLimit(reading);
  return true;
}

function readDiagnosticsCount({ cursor }: QueryReading): boolean {
  if (!cursor.takeWords('COUNT')) return false;
  cursor.expectSymbol('(');
  cursor.expectSymbol('*');
  cursor.expectSymbol(')');
  if (!cursor.takeAnyWord('WARNINGS', 'ERRORS')) cursor.refuse();
  return true;
}

const PROFILE_TYPES = [
  ...[['ALL'], ['BLOCK', 'IO'], ['CONTEXT', 'SWITCHES'], ['CPU'], ['IPC'], ['MEMORY']],
  ...[['PAGE', 'FAULTS'], ['SOURCE'], ['SWAPS']],
];

function readProfile(reading: QueryReading): boolean {
  const { cursor } = reading;
  if (!cursor.takeWords('PROFILE')) return false;
  while (PROFILE_TYPES.some((words) => cursor.takeWords(...words))) cursor.takeSymbol(',');
  if (cursor.takeWords('FOR', 'QUERY')) cursor.expectKind('number');
  readPlainLimit(reading);
  return true;
}

function readNameLists(reading: QueryReading): boolean {
  const { cursor } = reading;
  const isList =
    cursor.takeWords('CHARACTER', 'SET') ||
    cursor.takeWords('PROCEDURE', 'STATUS') ||
    cursor.takeWords('FUNCTION', 'STATUS') ||
    cursor.takeAnyWord('CHARSET', 'COLLATION', 'DATABASES', 'SCHEMAS');
  if (isList) readFilter(reading);
  return isList;
}

function readTableOfForm(reading: QueryReading): void {
  const { cursor } = reading;
  if (!cursor.takeAnyWord('FROM', 'IN')) cursor.refuse();
  readTableName(reading);
  if (cursor.takeAnyWord('FROM', 'IN')) readSchemaName(reading);
}

function readSchemaName(reading: QueryReading): void {
  const { upper } = reading.cursor.expectName();
  if (!reading.isAllowedSchema(upper)) refuseSql('SCHEMA');
}

function readFilter(reading: QueryReading): void {
  if (reading.cursor.takeWords('LIKE')) reading.cursor.expectKind('string');
  else if (reading.cursor.takeWords('WHERE')) readExpression(reading);
}

function readPlainLimit({ cursor }: QueryReading): void {
  if (!cursor.takeWords('LIMIT')) return;
  cursor.expectKind('number');
  if (cursor.takeSymbol(',') || cursor.takeWords('OFFSET')) cursor.expectKind('number');
}
