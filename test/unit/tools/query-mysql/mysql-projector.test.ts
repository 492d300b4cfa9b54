import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mysqlProjector } from '../../../../functions/diagnosis/tools/query-mysql/mysql-projector.ts';
import {
  encodeMysqlResult,
  type MysqlResult,
} from '../../../../functions/diagnosis/tools/query-mysql/mysql-result.ts';
import { createRedactor } from '../../../../shared/redaction/redactor.ts';

function aResult(result: Partial<MysqlResult> = {}): MysqlResult {
  return { columns: ['a'], rows: [['1']], rows_cut: false, live_state: false, ...result };
}

function project(raw: Uint8Array, maxBodyBytes = 11_000) {
  return mysqlProjector.project(raw, {
    input: { query_name: 'q', parameters: {} },
    window: null,
    redactor: createRedactor(),
    maxBodyBytes,
  });
}

function projected(result: Partial<MysqlResult>, maxBodyBytes = 11_000) {
  const projection = project(encodeMysqlResult(aResult(result)), maxBodyBytes);
  return projection.kind === 'projected' ? projection : expect.fail('malformed');
}

const lineOf = (columns: string[], row: (string | null)[]) =>
  projected({ columns, rows: [row] }).body.rows[0];

describe('rows of a result', () => {
  it('stand one a line, column=value, in their order', () => {
    const projection = projected({
      columns: ['state', 'n'],
      rows: [
        ['PAYING', '12'],
        ['PAID', null],
      ],
      live_state: true,
    });

    expect(projection).toEqual({
      kind: 'projected',
      evidenceStatus: 'EVIDENCE_FOUND',
      notes: [],
      truncated: false,
      body: {
        columns: ['state', 'n'],
        rows: ['state=PAYING n=12', 'state=PAID n=NULL'],
        returned_count: 2,
        live_state: true,
      },
      facts: ['state=PAYING n=12', 'state=PAID n=NULL'],
    });
  });

  it('are no evidence when there are none', () => {
    const projection = projected({ rows: [] });

    expect(projection).toEqual({
      kind: 'projected',
      evidenceStatus: 'NO_EVIDENCE',
      notes: [],
      truncated: false,
      body: { columns: ['a'], rows: [], returned_count: 0, live_state: false },
      facts: [],
    });
  });

  it.each([
    ['a blank', 'pay timeout', "a='pay timeout'"],
    ['nothing', '', "a=''"],
    ['the word NULL', 'NULL', "a='NULL'"],
    ['an equals sign', 'b=2', "a='b=2'"],
    ['a quote', "it's", "a='it''s'"],
    ['line ends and tabs', 'x\r\n\ty', 'a=x␍␊␉y'],
    ['a line separator', 'x\u2028y', 'a=x␤y'],
    ['a delete character', 'x\u007fy', 'a=x␡y'],
    ['Chinese', '支付超时', 'a=支付超时'],
  ])('write a value with %s unambiguously', (_case, value, line) => {
    expect(lineOf(['a'], [value])).toBe(line);
  });

  it('write a column that is no plain word in backticks', () => {
    expect(lineOf(['COUNT(*)', 'max of n', ''], ['1', '2', '3'])).toBe(
      'COUNT(*)=1 `max of n`=2 ``=3',
    );
  });
});

describe('what is cut', () => {
  it.each([
    ['a bare value', 'x'.repeat(600), `a=${'x'.repeat(509)}…`],
    ['a quoted value', `${'x '.repeat(300)}`, `a='${'x '.repeat(253)}x…'`],
    ['quotes at the cut', `${'x'.repeat(505)}''''''`, `a='${'x'.repeat(505)}…'`],
  ])('ends in an ellipsis: %s', (_case, value, line) => {
    const projection = projected({ rows: [[value]] });

    expect(projection.body.rows).toEqual([line]);
    expect(projection.truncated).toBe(true);
  });

  it('leaves a value of exactly the limit whole', () => {
    const projection = projected({ rows: [['x'.repeat(512)]] });

    expect(projection.truncated).toBe(false);
  });

  it('says when the source had more rows', () => {
    const projection = projected({ rows_cut: true });

    expect(projection).toMatchObject({ truncated: true, notes: ['ROWS_CUT_BY_SOURCE'] });
  });

  it('shows the first fifty rows and twenty columns', () => {
    const columns = Array.from({ length: 21 }, (_, index) => `c${index}`);
    const rows = Array.from({ length: 51 }, () => columns.map(() => '1'));

    const projection = projected({ columns, rows });

    expect(projection.body.columns).toEqual(columns.slice(0, 20));
    expect(projection.body.rows).toHaveLength(50);
    expect(projection.truncated).toBe(true);
  });

  it('shortens cells before it drops a row', () => {
    const rows = Array.from({ length: 30 }, (_, index) => [`${index} ${'x '.repeat(250)}`]);

    const projection = projected({ rows });

    expect(projection.body.rows).toHaveLength(30);
    expect(projection.truncated).toBe(true);
  });

  it('drops the last rows when short cells do not fit either', () => {
    const rows = Array.from({ length: 50 }, (_, index) => [`${index} ${'x '.repeat(250)}`]);

    const { body } = projected({ rows }, 1_000);

    expect(body.rows.length).toBeGreaterThan(0);
    expect(body.rows[0]).toMatch(/^a='0 x/);
    expect(body.returned_count).toBe(body.rows.length);
  });

  it('notes bytes that were no text', () => {
    expect(projected({ rows: [['a\uFFFD']] }).notes).toEqual(['BYTES_REPLACED']);
  });
});

describe('secrets in a result', () => {
  const PHONE = '13812345678';

  it.each([
    ['a phone number anywhere', 'remark', `call ${PHONE}`, PHONE],
    ['a value under a credential column', 'db_password', 'Sommer2026', 'Sommer2026'],
    ['a value under an identity column', 'id_no', 'AB123456', 'AB123456'],
    ['a short value under a private column', 'cvv', '123', '123'],
    ['a card number by its column', 'card_no', '6222020200112233445', '6222020200112233445'],
    ['a secret behind a long text', 'info', `${'x'.repeat(480)} ${PHONE}`, '1381234'],
    ['a private key over several lines', 'info', privateKey(), 'c2VjcmV0'],
  ])('does not show %s', (_case, column, value, secret) => {
    expect(JSON.stringify(projected({ columns: [column], rows: [[value]] }))).not.toContain(secret);
  });

  it('keeps numbers, states and times', () => {
    const line = lineOf(
      ['order_id', 'state', 'created_at'],
      ['202611300001', 'PAYING', '2026-11-30 09:00:00'],
    );

    expect(line).toBe("order_id=202611300001 state=PAYING created_at='2026-11-30 09:00:00'");
  });
});

function privateKey(): string {
  const kind = 'PRIVATE KEY'; // in two parts, so that scanners do not take it for one
  return `-----BEGIN ${kind}-----\n${'c2VjcmV0'.repeat(20)}\n-----END ${kind}-----`;
}

describe('raw bytes that are no result', () => {
  it.each([
    ['no text', new Uint8Array([0xff, 0xfe])],
    ['no JSON', new TextEncoder().encode('{')],
    ['no object', new TextEncoder().encode('[]')],
    ['columns that are no names', encodeAny({ ...aResult(), columns: [1] })],
    ['a row of another width', encodeAny({ ...aResult(), rows: [['1', '2']] })],
    ['a cell that is no text', encodeAny({ ...aResult(), rows: [[1]] })],
    ['no word on the cut', encodeAny({ ...aResult(), rows_cut: 0 })],
  ])('are malformed: %s', (_case, raw) => {
    expect(project(raw)).toEqual({ kind: 'malformed' });
  });
});

function encodeAny(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

describe('any result', () => {
  const cell = fc.option(fc.string({ unit: 'binary', maxLength: 700 }), { nil: null });
  const results = fc.integer({ min: 1, max: 22 }).chain((width) =>
    fc.record({
      columns: fc.array(fc.string({ maxLength: 80 }), { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 12 }),
      rows_cut: fc.boolean(),
      live_state: fc.boolean(),
    }),
  );

  it('fits the budget, stays on its lines and gives facts that stand in them', () => {
    fc.assert(
      fc.property(results, fc.integer({ min: 4_000, max: 11_000 }), (result, budget) => {
        const { body, facts } = projected(result, budget);

        expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(budget);
        expect(body.rows.filter((line) => /[\p{Cc}\u2028\u2029]/u.test(line))).toEqual([]);
        expect(facts.filter((fact) => !body.rows.some((line) => line.includes(fact)))).toEqual([]);
        expect(facts.filter((fact) => Buffer.byteLength(fact) > 300)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('projects to the same bytes each time', () => {
    fc.assert(
      fc.property(results, (result) => {
        expect(projected(result)).toEqual(projected(result));
      }),
      { numRuns: 20 },
    );
  });
});
