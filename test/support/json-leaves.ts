/** Where a value stands in a JSON value: the keys and indexes that lead to it. */
export type JsonPath = readonly (string | number)[];

/** The paths of everything in a JSON value that is neither an object nor an array. */
export function leavesOf(value: unknown, path: JsonPath = []): readonly JsonPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => leavesOf(Object(value)[key], [...path, key]));
}

export function at(value: unknown, path: JsonPath): unknown {
  return path.reduce((inner, key) => Object(inner)[key], value);
}

/** The value with another one at the path. */
export function replaced(value: unknown, path: JsonPath, other: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return other;
  const inner = replaced(Object(value)[key], rest, other);
  if (Array.isArray(value)) return value.with(Number(key), inner);
  return { ...Object(value), [key]: inner };
}
