import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { EXPIRY_ATTRIBUTE, SESSION_INDEX, TABLE_KEY } from '../shared/contracts/table-layout.ts';

const TEXT = AttributeType.STRING;

/** One of the two tables. */
export interface RecordTableOptions {
  readonly tableName: string;
  readonly key: Key;
}

/** The record of runs: recoverable to any second of the last 35 days. */
export function recordTable(scope: Construct, options: RecordTableOptions): Table {
  const table = keptTable(scope, 'RecordTable', { ...options, recoverable: true });
  table.addGlobalSecondaryIndex({
    indexName: SESSION_INDEX.name,
    partitionKey: { name: SESSION_INDEX.partition, type: TEXT },
    sortKey: { name: SESSION_INDEX.sort, type: TEXT },
    projectionType: ProjectionType.INCLUDE,
    nonKeyAttributes: [...SESSION_INDEX.projected],
  });
  return table;
}

/** Raw results: not recoverable, since what is gone after its days must be gone. */
export function rawTable(scope: Construct, options: RecordTableOptions): Table {
  return keptTable(scope, 'RawTable', { ...options, recoverable: false });
}

function keptTable(
  scope: Construct,
  id: string,
  { tableName, key, recoverable }: RecordTableOptions & { readonly recoverable: boolean },
): Table {
  return new Table(scope, id, {
    tableName,
    partitionKey: { name: TABLE_KEY.partition, type: TEXT },
    sortKey: { name: TABLE_KEY.sort, type: TEXT },
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: EXPIRY_ATTRIBUTE,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: recoverable },
  });
}
