import { expect, it } from 'vitest';
import { mysqlText } from '../../../../../functions/diagnosis/tools/query-mysql/connection/mysql-value.ts';

// Column types of MySQL that MariaDB, which the other tests run on, does not have or sends otherwise.
const [JSON_TYPE, GEOMETRY, VECTOR, LONGLONG, BIT, FLOAT] = [245, 255, 242, 8, 16, 4] as const;

it.each([
  ['a JSON text', '{"a": 1.50}', JSON_TYPE, '{"a": 1.50}'],
  ['a point', { x: 1, y: 2.5 }, GEOMETRY, '{"x":1,"y":2.5}'],
  ['a vector', [0.5, 1], VECTOR, '[0.5,1]'],
  [
    'a big number that the driver gives as such',
    18_446_744_073_709_551_615n,
    LONGLONG,
    '18446744073709551615',
  ],
  ['no bits', Buffer.alloc(0), BIT, '0'],
  ['an empty binary string', Buffer.alloc(0), undefined, '0x'],
  ['half a character', '\ud83d', undefined, '\ufffd'],
  ['the smallest float', 1.401298464324817e-45, FLOAT, '1.4013e-45'],
  ['a float that needs nine digits', Math.fround(16_777_217.0 / 3), FLOAT, '5592405.5'],
  ['a value that is missing', undefined, undefined, null],
])('is text for %s', (_what, value, columnType, text) => {
  expect(mysqlText(value, { name: 'c', ...(columnType !== undefined && { columnType }) })).toBe(
    text,
  );
});
