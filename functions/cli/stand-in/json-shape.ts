/** True for a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as a list; anything but an array counts as an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The member of a JSON object, undefined for anything else. */
export function memberOf(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

/** The value if it is text, else an empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The JSON value of a text, undefined if it has none. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON has no undefined, so this can't be mistaken for a value.
  }
}
