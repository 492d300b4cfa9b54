import { describe, expect, it } from 'vitest';
import {
  declarationOf,
  readSnapshotTable,
} from '../../../../functions/diagnosis/tools/query-mysql/snapshot-table.ts';

const tableOf = (type: string, cell: string) =>
  readSnapshotTable(`{"columns": [{"name": "a", "type": "${type}"}], "rows": [[${cell}]]}`);

describe('a cell of a snapshot table', () => {
  it.each([
    ['text', 'varchar(8)', '"x"', 'x'],
    ['a number', 'double', '1.5', 1.5],
    ['an integer past the exact doubles', 'bigint', '9007199254740993', 9_007_199_254_740_993n],
    ['an integer past 64 bits', 'bigint unsigned', '18446744073709551615', '18446744073709551615'],
    ['a boolean', 'tinyint(1)', 'true', 1],
    ['null', 'int', 'null', null],
    ['bytes', 'blob', '{"base64": "AQI="}', Buffer.from([1, 2])],
    [
      'an instant of a DATETIME column',
      'DATETIME(3)',
      '"2026-11-30T10:00:00+01:00"',
      '2026-11-30 09:00:00',
    ],
    ['an instant in a text column', 'text', '"2026-11-30T10:00:00Z"', '2026-11-30T10:00:00Z'],
  ])('keeps %s', (_case, type, json, value) => {
    expect(tableOf(type, json)).toEqual({ columns: [{ name: 'a', type }], rows: [[value]] });
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '5'],
    ['no rows', '{"columns": [{"name": "a", "type": "int"}]}'],
    ['no columns', '{"columns": [], "rows": []}'],
    ['a column without a type', '{"columns": [{"name": "a"}], "rows": []}'],
    ['a column without a name', '{"columns": [{"name": "", "type": "int"}], "rows": []}'],
    ['a column that is no object', '{"columns": ["a"], "rows": []}'],
    ['rows that are no list', '{"columns": [{"name": "a", "type": "int"}], "rows": {}}'],
    [
      'bytes that are no text',
      '{"columns": [{"name": "a", "type": "int"}], "rows": [[{"base64": 1}]]}',
    ],
  ])('is not read from %s', (_case, json) => {
    expect(readSnapshotTable(json)).toBeUndefined();
  });
});

describe('a column of a snapshot', () => {
  it.each([
    ['varchar(64)', ['A'], 'TEXT COLLATE NOCASE'],
    ['datetime', ['2026-11-30 09:00:00'], 'TEXT COLLATE NOCASE'],
    ['bigint unsigned', [1], 'NUMERIC'],
    ['DECIMAL(12,2)', ['12.50'], 'NUMERIC'],
    ['DECIMAL(30,2)', ['1234567890123456.50'], ''],
    ['varbinary(16)', ['x'], ''],
  ])('of %s over %j is declared %j', (type, values, declaration) => {
    expect(declarationOf(type, values)).toBe(declaration);
  });
});
