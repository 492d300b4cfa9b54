import { z } from 'zod';

/** Names the record table to the functions that read runs or ask them to stop. */
export const RECORD_TABLE_VARIABLE = 'RECORD_TABLE';

/** A table's name as DynamoDB takes it. */
export const TableNameSchema = z.string().regex(/^[A-Za-z0-9_.-]{3,255}$/, 'must name a table');
