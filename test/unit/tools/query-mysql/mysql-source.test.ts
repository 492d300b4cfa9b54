import { describe, expect, it } from 'vitest';
import { MysqlServerSchema } from '../../../../shared/contracts/mysql-source.ts';

const LOGIN = { kind: 'RDS_IAM', user: 'diagnosis' } as const;
const WRITER = { host: 'db.example.com', database: 'shop', login: LOGIN };
const FILE = { kind: 'PASSWORD_FILE', user: 'diagnosis', file: 'password' } as const;

describe('a configured server', () => {
  it('asks for TLS on port 3306 unless told otherwise', () => {
    expect(MysqlServerSchema.parse({ kind: 'MYSQL', writer: WRITER })).toEqual({
      kind: 'MYSQL',
      writer: { ...WRITER, port: 3306, tls: 'required' },
      application_schemas: [],
    });
  });

  it.each(['127.0.0.1', '::1', 'localhost'])('may go without TLS on this machine: %s', (host) => {
    const writer = { ...WRITER, host, login: FILE, tls: 'off' };

    expect(MysqlServerSchema.safeParse({ kind: 'MYSQL', writer }).success).toBe(true);
  });

  it.each([
    ['no TLS to another machine', { login: FILE, tls: 'off' }, 'tls'],
    ['no TLS for a token', { host: 'localhost', tls: 'off' }, 'tls'],
    ['an address where a name is checked', { host: '10.0.0.7' }, 'host'],
    ['an address of version 6', { host: '2001:db8::1' }, 'host'],
    ['a host with a port', { host: 'db.example.com:3306' }, 'host'],
    ['a URL', { host: 'mysql://db.example.com' }, 'host'],
    ['a password in the configuration', { login: { ...FILE, password: 'x' } }, 'login'],
    ['a name of a schema that could be SQL', { database: 'shop;DROP' }, 'database'],
    ['a word that is none of ours', { ssl: false }, ''],
  ])('is refused with %s', (_what, differing, field) => {
    const parsed = MysqlServerSchema.safeParse({
      kind: 'MYSQL',
      writer: { ...WRITER, ...differing },
    });

    expect(parsed.error?.issues.map(({ path }) => path.slice(0, 2).join('.'))).toEqual([
      ['writer', field].filter((part) => part !== '').join('.'),
    ]);
  });
});
