import type { Deployment } from '../shared/contracts/deployment.ts';

/** The three functions of a deployment. */
export const FUNCTION_KINDS = ['diagnosis', 'cancellation', 'run-record'] as const;
export type FunctionKind = (typeof FUNCTION_KINDS)[number];

/** The alias that callers use. */
export const ALIAS = 'live';

/** What a stage's resources are called. */
export interface Names {
  readonly records: string;
  readonly service: string;
  readonly recordTable: string;
  readonly rawTable: string;
  /** Account and region follow: names of buckets are the world's. */
  readonly batches: string;
  readonly rawReaderRole: string;
  readonly functions: Readonly<Record<FunctionKind, string>>;
  readonly functionRoles: Readonly<Record<FunctionKind, string>>;
  readonly one: string;
  readonly many: string;
  readonly manyRole: string;
  readonly failureQueue: string;
}

/**
 * The names of a stage. They are ours and not generated: the tables' go into the function's asset,
 * the roles' into the policies of keys that are made before the roles are.
 */
export function namesOf({ stage }: Pick<Deployment, 'stage'>): Names {
  const named = (part: string) => `diagnosis-${stage}-${part}`;
  const functionsOf = (suffix: string) => ({
    diagnosis: named(`diagnosis${suffix}`),
    cancellation: named(`cancellation${suffix}`),
    'run-record': named(`run-record${suffix}`),
  });
  return {
    records: named('records'),
    service: named('service'),
    recordTable: named('record'),
    rawTable: named('raw'),
    batches: named('batches'),
    rawReaderRole: named('raw-reader'),
    functions: functionsOf(''),
    functionRoles: functionsOf('-function'),
    one: named('one'),
    many: named('many'),
    manyRole: named('many-machine'),
    failureQueue: named('failed-events'),
  };
}
