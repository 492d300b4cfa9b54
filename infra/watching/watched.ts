import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Deployment } from '../../shared/contracts/deployment.ts';
import type { AliasedFunction } from '../aliased-function.ts';
import type { DiagnosisMachines } from '../diagnosis-machines.ts';
import type { RecordsStack } from '../records-stack.ts';

/** What is watched. */
export interface Watched {
  readonly deployment: Deployment;
  readonly records: RecordsStack;
  readonly diagnosis: AliasedFunction;
  readonly machines: DiagnosisMachines;
  readonly failedEvents: Queue;
}
