/** The zone of every generated capsule. */
export const TIME_ZONE = 'Asia/Shanghai';
const OFFSET_MS = 8 * 3_600_000; // China keeps UTC+8 all year round.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** `2026-11-18 14:03:12.345 +0800`, the logback pattern of the Java services. */
export function logbackTime(at: number): string {
  return `${wallClock(at).replace('T', ' ')} +0800`;
}

/** `2026-11-18T14:03:12.345+0800`, as the JVM's unified logging writes it. */
export function jvmTime(at: number): string {
  return `${wallClock(at)}+0800`;
}

/** `18/Nov/2026:14:03:12 +0800`, as an access log writes it. */
export function accessLogTime(at: number): string {
  const local = new Date(at + OFFSET_MS);
  const month = local.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  const [date = '', time = ''] = wallClock(at).slice(0, 19).split('T');
  return `${date.slice(8)}/${month}/${date.slice(0, 4)}:${time} +0800`;
}

/** `2026-11-18 14:03:12` in local time and without a zone, as the deployment tool writes it. */
export function nakedLocalTime(at: number): string {
  return wallClock(at).slice(0, 19).replace('T', ' ');
}

/** `2026-11-18T14:03:12.345+08:00`, as JSON loggers write it. */
export function isoLocalTime(at: number): string {
  return `${wallClock(at)}+08:00`;
}

/** `2026/11/18 14:03:12` in local time and without a zone, as nginx writes its errors. */
export function nginxErrorTime(at: number): string {
  return nakedLocalTime(at).replaceAll('-', '/');
}

/** `18 Nov 2026 14:03:12.345` in local time and without a zone, as a Redis server writes it. */
export function redisTime(at: number): string {
  const [day, month, year] = accessLogTime(at).slice(0, 11).split('/');
  return `${day} ${month} ${year} ${wallClock(at).slice(11)}`;
}

/** `14:35` in local time, as people say it. */
export function spokenTime(at: number): string {
  return wallClock(at).slice(11, 16);
}

/** `20261118` in local time, as numbers of orders and batches begin. */
export function dateDigits(at: number): string {
  return wallClock(at).slice(0, 10).replaceAll('-', '');
}

/** Minutes since local midnight. */
export function minuteOfDay(at: number): number {
  return Math.floor(((at + OFFSET_MS) % DAY_MS) / MINUTE_MS);
}

/** `2026-11-18 06:03:12` in UTC, as the databases store it. */
export function utcDateTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

function wallClock(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().slice(0, 23);
}
