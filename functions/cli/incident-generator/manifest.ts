import type { Expected, Statement } from '../../../shared/contracts/expected.ts';
import type { Incident } from '../../../shared/contracts/incident.ts';
import { TIME_ZONE } from './wall-clock.ts';

/** What a scenario says of itself. */
export interface Asked {
  readonly name: string;
  readonly title: string;
  readonly query: string;
  readonly asOf: number;
  /** Descriptions by topic; a day of look-back each, seven days for `deployments`. */
  readonly topics: Readonly<Record<string, string>>;
  readonly bindings?: Readonly<Record<string, string>>;
}

/** The manifest of a shipped incident. */
export function manifest({ name, title, query, asOf, topics, bindings }: Asked): Incident {
  return {
    schema_version: 1,
    name,
    title,
    query,
    as_of: new Date(asOf).toISOString(),
    time_zone: TIME_ZONE,
    shipped_sample: true,
    topics: Object.entries(topics).map(([topic, description]) => ({
      name: topic,
      description,
      max_lookback_minutes: topic === 'deployments' ? 10_080 : 1_440,
    })),
    ...(bindings === undefined ? {} : { bindings: { ...bindings } }),
  };
}

/** An expectation; what is not given is empty. */
export function expectation(
  given: Pick<Expected, 'true_cause' | 'told_apart_by'> & Partial<Expected>,
): Expected {
  return {
    schema_version: 1,
    must_be_null: false,
    must_conclude: [],
    may_conclude: [],
    must_not_blame: [],
    must_name_as_missing: [],
    must_not_say: [],
    ...given,
  };
}

/** A statement; each group lists spellings of one term, parted by `|`. */
export function says(meaning: string, ...groups: readonly string[]): Statement {
  return { meaning, all_of: groups.map((group) => group.split('|')) };
}

/** Words that make of a mention the cause, for statements about who is blamed. */
export const AS_CAUSE =
  '原因|导致|引起|引发|造成|根因|由于|所致|caused|cause|because|due to|led to|culprit';
