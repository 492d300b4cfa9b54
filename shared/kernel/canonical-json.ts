import { createHash } from 'node:crypto';

/**
 * JSON with the keys of every object in code-unit order and `undefined` members left out, so that
 * equal values give equal bytes.
 *
 * @throws TypeError for values JSON has no form for (functions, symbols, bigints, cycles).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isPlainObject(member) ? sorted(member) : member,
  );
}

/** SHA-256 in lower-case hexadecimal digits. */
export function sha256Hex(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}
