/**
 * True when a user can do more than read, as its lines of `SHOW GRANTS` say. By allow-list: a
 * privilege that is not known to read counts as one that writes.
 */
export function canWrite(grants: readonly string[]): boolean {
  return grants.some((grant) => !isReadOnly(grant));
}

const READING: ReadonlySet<string> = new Set([
  'USAGE',
  'SELECT',
  'PROCESS',
  'SHOW DATABASES',
  'SHOW VIEW',
  'SHOW_ROUTINE',
  'REPLICATION CLIENT',
  'BINLOG MONITOR', // MariaDB's name for it
  'SLAVE MONITOR',
  'REPLICA MONITOR',
]);

function isReadOnly(grant: string): boolean {
  // A role by itself allows nothing; the privileges of an active one stand in lines of their own.
  const found = /^GRANT (.{1,4000}?) ON (.{1,300}?) TO /i.exec(grant);
  if (found === null) return /^(?:GRANT|SET DEFAULT ROLE) [`'"]/i.test(grant);
  if (/ WITH GRANT OPTION\b/i.test(grant)) return false;
  const [, privileges = '', object = ''] = found;
  return privilegesOf(privileges).every(
    (privilege) => READING.has(privilege) || (privilege === 'EXECUTE' && isOfSys(object)),
  );
}

/** Names without their column lists. */
function privilegesOf(text: string): string[] {
  return text
    .replace(/\([^()]{0,2000}\)/g, '')
    .split(',')
    .map((name) => name.trim().toUpperCase());
}

/** The routines of `sys` run with the caller's own privileges, and its views need them to format. */
function isOfSys(object: string): boolean {
  return /^(?:(?:FUNCTION|PROCEDURE) )?[`"]?sys[`"]?\./i.test(object);
}
