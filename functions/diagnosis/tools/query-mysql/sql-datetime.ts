/**
 * An instant as MySQL's DATETIME in UTC: `YYYY-MM-DD HH:MM:SS`, with milliseconds only where there
 * are any, so that it compares as text with whole seconds too.
 */
export function toSqlDatetime(epochMs: number): string {
  const [date, time = ''] = new Date(epochMs).toISOString().split('T');
  return `${date} ${time.replace(/(?:\.000)?Z$/, '')}`;
}

/** Milliseconds since the epoch of a DATE or DATETIME text in UTC; undefined for other texts. */
export function fromSqlDatetime(text: string): number | undefined {
  const found = SQL_DATETIME.exec(text.trim());
  if (found === null) return undefined;
  const [, date, time = '00:00:00', fraction = ''] = found;
  const instant = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}

const SQL_DATETIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?)?Z?$/;
