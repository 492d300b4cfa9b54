import {
  RECORD_TABLE_VARIABLE,
  TableNameSchema,
} from '../../shared/contracts/record-environment.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';
import { createDocumentClient } from '../../shared/store/dynamodb-client.ts';
import { createDynamoDbRunRecord } from '../../shared/store/dynamodb-run-record.ts';
import type { RunRecordParts } from './answer-reader.ts';

/**
 * Builds the parts of the Lambda over the table that its environment names.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` when it names none
 */
export function composeRunRecord(): RunRecordParts {
  // biome-ignore lint/style/noProcessEnv: the one place where the function reads its environment
  const recordTable = TableNameSchema.safeParse(process.env[RECORD_TABLE_VARIABLE]);
  if (!recordTable.success) {
    throw new HarnessError('CONFIGURATION_INVALID', `${RECORD_TABLE_VARIABLE} names no table`);
  }
  const record = createDynamoDbRunRecord(createDocumentClient(), recordTable.data);
  return { record, clock: systemClock };
}
