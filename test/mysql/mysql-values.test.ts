import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mysqlProjector } from '../../functions/diagnosis/tools/query-mysql/mysql-projector.ts';
import { createRedactor } from '../../shared/redaction/redactor.ts';
import {
  type MariaDb,
  missingMariaDb,
  READER,
  SERVER_TIMEOUT_MS,
  startMariaDb,
} from '../support/mariadb.ts';
import { anAdapter, aQuery, contentOf } from '../support/mysql-adapter.ts';

const COLUMNS: readonly (readonly [type: string, literal: string, text: string | null])[] = [
  ['BIGINT', '9223372036854775807', '9223372036854775807'],
  ['BIGINT', '-9223372036854775808', '-9223372036854775808'],
  ['BIGINT UNSIGNED', '18446744073709551615', '18446744073709551615'],
  ['TINYINT', '-1', '-1'],
  ['TINYINT UNSIGNED', '255', '255'],
  ['MEDIUMINT UNSIGNED', '16777215', '16777215'],
  ['INT UNSIGNED', '4294967295', '4294967295'],
  [
    'DECIMAL(65,30)',
    '-12345678901234567890123456789012345.123456789012345678901234567890',
    '-12345678901234567890123456789012345.123456789012345678901234567890',
  ],
  ['DECIMAL(10,2)', '0.10', '0.10'],
  ['FLOAT', '0.1', '0.1'],
  ['FLOAT', '16777216', '16777216'],
  ['DOUBLE', '0.30000000000000004', '0.30000000000000004'],
  ['DOUBLE', '1.7976931348623157e308', '1.7976931348623157e+308'],
  ['DATE', "'2026-11-30'", '2026-11-30'],
  ['DATE', "'0000-00-00'", '0000-00-00'],
  ['DATE', "'2026-00-00'", '2026-00-00'],
  ['DATETIME', "'0000-00-00 00:00:00'", '0000-00-00 00:00:00'],
  ['DATETIME', "'2026-11-30 00:00:00'", '2026-11-30 00:00:00'],
  ['DATETIME(6)', "'2026-11-30 12:34:56.000001'", '2026-11-30 12:34:56.000001'],
  ['DATETIME(3)', "'9999-12-31 23:59:59.999'", '9999-12-31 23:59:59.999'],
  ['TIMESTAMP NULL', "'2026-11-30 12:34:56'", '2026-11-30 12:34:56'],
  ['TIME', "'-838:59:59'", '-838:59:59'],
  ['TIME(3)', "'00:00:00.250'", '00:00:00.25'],
  ['YEAR', '2026', '2026'],
  ['YEAR', '0', '0000'],
  ['BIT(1)', "b'1'", '1'],
  [
    'BIT(64)',
    "b'1111111111111111111111111111111111111111111111111111111111111111'",
    '18446744073709551615',
  ],
  ['JSON', `'{"a": [1, 2.50, null], "b": "支付"}'`, '{"a": [1, 2.50, null], "b": "支付"}'],
  ['BLOB', "x'00ff0a27'", '0x00ff0a27'],
  ['VARBINARY(8)', "x'e694af'", '0xe694af'],
  ['BINARY(4)', "x'0102'", '0x01020000'],
  ['VARCHAR(50)', "'支付超时 😀 ''q'' =x'", "支付超时 😀 'q' =x"],
  ['VARCHAR(50) CHARACTER SET latin1', "'café'", 'café'],
  ['VARCHAR(50) CHARACTER SET gbk', "'支付'", '支付'],
  ['TEXT', "'a\\nb\\tc'", 'a\nb\tc'],
  ['CHAR(3)', "'ab'", 'ab'],
  ["ENUM('NEW','PAID')", "'PAID'", 'PAID'],
  ["SET('a','b')", "'a,b'", 'a,b'],
  ['INET6', "'::1'", '::1'],
  ['UUID', "'123e4567-e89b-12d3-a456-426655440000'", '123e4567-e89b-12d3-a456-426655440000'],
  ['INT', 'NULL', null],
  ['BLOB', 'NULL', null],
  ['DATETIME', 'NULL', null],
  ['JSON', 'NULL', null],
];

const QUERIES = [
  aQuery('limited', 'SELECT seq FROM seq_1_to_50 WHERE seq >= :least ORDER BY seq LIMIT :count', {
    parameters: {
      least: { type: 'integer', bind: 'model', description: 'least', min: 0, max: 100 },
      count: { type: 'integer', bind: 'model', description: 'count', min: 0, max: 100 },
    },
  }),
  aQuery('texts', "SELECT :text AS text, ':text' AS name, :amount AS amount", {
    parameters: {
      text: { type: 'string', bind: 'model', description: 'text', max_bytes: 100 },
      amount: { type: 'decimal', bind: 'model', description: 'amount', min: 0, max: 100 },
    },
  }),
];

describe.skipIf(missingMariaDb !== null)('a value of a real server', () => {
  let server: MariaDb;

  beforeAll(async () => {
    server = await startMariaDb();
    const declarations = COLUMNS.map(([type], index) => `c${index} ${type}`);
    const values = COLUMNS.map(([, literal]) => literal);
    await server.sql(
      "SET SESSION sql_mode = '', time_zone = '+00:00', NAMES utf8mb4",
      `CREATE TABLE shop.typed (${declarations.join(', ')}) CHARACTER SET utf8mb4`,
      `INSERT INTO shop.typed VALUES (${values.join(', ')})`,
    );
  }, SERVER_TIMEOUT_MS);

  afterAll(() => server[Symbol.asyncDispose]());

  it.each(
    COLUMNS.map(([type, literal, text], index) => ({ type, literal, text, column: `c${index}` })),
  )('of $type, $literal, is $text', async ({ column, text }) => {
    const { ask } = anAdapter({ writer: server.endpoint(READER) }, [
      aQuery('typed', `SELECT ${column} FROM typed`),
    ]);

    const { columns, rows } = contentOf(await ask('typed'));

    expect({ columns, rows }).toEqual({ columns: [column], rows: [[text]] });
  });

  it('reaches the observation with all the others, one line for the row', async () => {
    const { ask } = anAdapter({ writer: server.endpoint(READER) }, [
      aQuery('typed', 'SELECT c2, c7, c14, c25, c27, c28, c40 FROM typed'),
    ]);

    const result = await ask('typed');
    const projection = mysqlProjector.project(
      result.kind === 'result' ? result.raw : new Uint8Array(),
      {
        input: { query_name: 'typed', parameters: {} },
        window: null,
        redactor: createRedactor(),
        maxBodyBytes: 9_000,
      },
    );

    expect(projection).toMatchObject({
      kind: 'projected',
      truncated: false,
      body: {
        rows: [
          'c2=18446744073709551615 c7=-12345678901234567890123456789012345.123456789012345678901234567890 c14=0000-00-00 c25=1 c27=\'{"a": [1, 2.50, null], "b": "支付"}\' c28=0x00ff0a27 c40=NULL',
        ],
      },
    });
  });

  it('binds whole numbers where a statement counts with them', async () => {
    const { ask } = anAdapter({ writer: server.endpoint(READER) }, QUERIES);

    const { rows } = contentOf(await ask('limited', {}, { least: 7, count: 2 }));

    expect(rows).toEqual([['7'], ['8']]);
  });

  it('binds texts as they are and leaves a colon in a string alone', async () => {
    const { ask } = anAdapter({ writer: server.endpoint(READER) }, QUERIES);
    const parameters = { text: "x' OR 1=1 -- 支付😀", amount: 12.5 };

    const { rows } = contentOf(await ask('texts', {}, parameters));

    expect(rows).toEqual([["x' OR 1=1 -- 支付😀", ':text', '12.5']]);
  });
});
