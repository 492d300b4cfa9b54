/** What of a column decides how its values read. */
export interface MysqlColumn {
  readonly name: string;
  /** The column's type in the protocol. */
  readonly columnType?: number;
}

// https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html
const FLOAT = 4;
const YEAR = 13;
const BIT = 16;

/**
 * A value of the driver as text, nothing lost: big numbers and decimals digit by digit, dates as the
 * server wrote them (zero dates too), bits as the number they are, binary strings as `0x` and hex digits.
 */
export function mysqlText(value: unknown, { columnType }: MysqlColumn): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) {
    return columnType === BIT ? bitsText(value) : `0x${value.toString('hex')}`;
  }
  if (typeof value === 'number') return numberText(value, columnType);
  return typeof value === 'object' ? JSON.stringify(value) : String(value).toWellFormed();
}

function bitsText(bytes: Buffer): string {
  return bytes.length === 0 ? '0' : BigInt(`0x${bytes.toString('hex')}`).toString();
}

function numberText(value: number, columnType: number | undefined): string {
  if (columnType === FLOAT) return floatText(value);
  return columnType === YEAR ? String(value).padStart(4, '0') : String(value);
}

/** The fewest digits that read as the same FLOAT; a double's digits are more than it ever held. */
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}
