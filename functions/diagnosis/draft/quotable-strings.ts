/** A string of an observation that a draft may quote, and where it stands, such as `events[3]`. */
export interface QuotableString {
  readonly path: string;
  readonly text: string;
}

/** Lists of an observation that hold evidence; `field` is null where the entries are the strings. */
const QUOTABLE_LISTS = [
  { list: 'patterns', fields: ['line'] },
  { list: 'events', fields: null },
  { list: 'rows', fields: null },
  { list: 'evidence', fields: ['title', 'excerpt'] },
] as const;

/**
 * What a source said, string by string: pattern lines, event lines, row lines, titles and excerpts.
 * Never keys, ids, levels, enum values, column names, nor anything of `scope`, which holds the
 * model's own words. A whitelist: whatever else an observation comes to hold is not quotable.
 */
export function quotableStrings(observation: unknown): readonly QuotableString[] {
  if (!isObject(observation)) return [];
  return QUOTABLE_LISTS.flatMap(({ list, fields }) =>
    entriesOf(observation[list]).flatMap((entry, index) =>
      fields === null
        ? quotable(`${list}[${index}]`, entry)
        : fields.flatMap((field) => quotable(`${list}[${index}].${field}`, memberOf(entry, field))),
    ),
  );
}

function quotable(path: string, text: unknown): readonly QuotableString[] {
  return typeof text === 'string' ? [{ path, text }] : [];
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
