import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SESSION_INDEX } from '../../shared/contracts/table-layout.ts';
import type { FunctionKind } from '../names.ts';
import type { RecordsStack } from '../records-stack.ts';
import { READING, viaService, WRITING } from '../retained-key.ts';

/** What a function may do with the two tables; none scans, none deletes, none reads the raw one. */
export function tableRights(kind: FunctionKind, records: RecordsStack): PolicyStatement[] {
  const { recordTable, recordKey, rawTable, rawKey } = records;
  switch (kind) {
    case 'diagnosis':
      return [
        allow(
          'WriteRecord',
          [recordTable.tableArn],
          [
            'dynamodb:ConditionCheckItem',
            'dynamodb:GetItem',
            'dynamodb:PutItem',
            'dynamodb:Query',
            'dynamodb:UpdateItem',
          ],
        ),
        openTable('OpenRecord', recordKey.keyArn, WRITING),
        putRaw(rawTable.tableArn),
        openTable('OpenRaw', rawKey.keyArn, WRITING),
      ];
    case 'cancellation':
      return [
        allow('UpdateRecord', [recordTable.tableArn], ['dynamodb:UpdateItem']),
        openTable('OpenRecord', recordKey.keyArn, WRITING),
      ];
    case 'run-record':
      return [
        allow('ReadRecord', [recordTable.tableArn], ['dynamodb:GetItem', 'dynamodb:Query']),
        allow(
          'ListSessions',
          [`${recordTable.tableArn}/index/${SESSION_INDEX.name}`],
          ['dynamodb:Query'],
        ),
        openTable('OpenRecord', recordKey.keyArn, READING),
      ];
  }
}

/** A put can hand back what it replaces; this one may not ask for it. */
function putRaw(tableArn: string): PolicyStatement {
  return new PolicyStatement({
    sid: 'PutRaw',
    actions: ['dynamodb:PutItem'],
    resources: [tableArn],
    conditions: { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } },
  });
}

function openTable(sid: string, keyArn: string, actions: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    sid,
    actions: [...actions],
    resources: [keyArn],
    conditions: { StringEquals: { 'kms:ViaService': viaService('dynamodb') } },
  });
}

function allow(sid: string, resources: string[], actions: string[]): PolicyStatement {
  return new PolicyStatement({ sid, actions, resources });
}
