import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MysqlEndpoint, MysqlLogin } from '../../shared/contracts/mysql-source.ts';
import { startService } from '../support/aws-service.ts';
import { startClearPasswordServer } from '../support/clear-password-server.ts';
import {
  type MariaDb,
  missingMariaDb,
  READER,
  SERVER_TIMEOUT_MS,
  startMariaDb,
} from '../support/mariadb.ts';
import { anAdapter, aQuery, codeOf, contentOf } from '../support/mysql-adapter.ts';
import {
  makeCertificates,
  missingOpenssl,
  type TestCertificates,
} from '../support/test-certificates.ts';

const QUERIES = [
  aQuery('one', 'SELECT 1'),
  aQuery(
    'cipher',
    "SELECT variable_value <> '' FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher'",
  ),
];

const OVER_TLS = { host: 'localhost', tls: 'required' } as const;

const isMissing = missingMariaDb !== null || missingOpenssl !== null;

describe.skipIf(isMissing)('TLS to a real server', () => {
  let server: MariaDb;
  let ours: TestCertificates;

  beforeAll(async () => {
    ours = makeCertificates('DNS:localhost');
    server = await startMariaDb(secureWith(ours));
  }, SERVER_TIMEOUT_MS);

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    ours[Symbol.dispose]();
  });

  const secured = (differing: Partial<MysqlEndpoint>) =>
    anAdapter({ writer: server.endpoint(READER, { ...OVER_TLS, ...differing }) }, QUERIES);

  it('encrypts where the authority is trusted and the name is the server’s', async () => {
    const { ask } = secured({ ca_file: ours.authority });

    expect(contentOf(await ask('cipher')).rows).toEqual([['1']]);
  });

  it('trusts Amazon and the public authorities by default, so not this one', async () => {
    const { ask } = secured({});

    expect(codeOf(await ask('one'))).toBe('SOURCE_UNAVAILABLE');
  });

  it('refuses a server of another authority', async () => {
    using others = makeCertificates('DNS:localhost');
    const { ask } = secured({ ca_file: others.authority });

    expect(codeOf(await ask('one'))).toBe('SOURCE_UNAVAILABLE');
  });

  it(
    'refuses a server of another name',
    async () => {
      using others = makeCertificates('DNS:db.example.com');
      await using other = await startMariaDb(secureWith(others));
      const { ask, faults } = anAdapter(
        { writer: other.endpoint(READER, { ...OVER_TLS, ca_file: others.authority }) },
        QUERIES,
      );

      expect(codeOf(await ask('one'))).toBe('SOURCE_UNAVAILABLE');
      expect(faults).toEqual(['HANDSHAKE_SSL_ERROR']);
    },
    SERVER_TIMEOUT_MS,
  );

  it(
    'refuses a server that speaks no TLS',
    async () => {
      await using plain = await startMariaDb();
      const { ask } = anAdapter(
        { writer: plain.endpoint(READER, { ...OVER_TLS, ca_file: ours.authority }) },
        QUERIES,
      );

      expect(codeOf(await ask('one'))).toBe('SOURCE_UNAVAILABLE');
    },
    SERVER_TIMEOUT_MS,
  );
});

describe.skipIf(missingMariaDb !== null)('a secret of Secrets Manager', () => {
  let server: MariaDb;

  beforeAll(async () => {
    server = await startMariaDb();
    withRole();
  }, SERVER_TIMEOUT_MS);

  afterAll(() => server[Symbol.asyncDispose]());

  const asking = (endpoint: string) =>
    anAdapter({ writer: server.endpoint(READER, { login: secretAt(endpoint) }) }, QUERIES);

  it('logs in with the user and the password that it names, fetched once for a connection', async () => {
    const service = await startService({ status: 200, body: { SecretString: secretOf(READER) } });
    const { ask } = asking(service.url);

    expect(contentOf(await ask('one')).rows).toEqual([['1']]);
    expect(service.requests).toEqual([
      { path: '/', target: 'secretsmanager.GetSecretValue', body: { SecretId: 'diagnosis/mysql' } },
    ]);
  });

  it.each([
    ['no JSON', 'plain'],
    ['a list', '[]'],
    ['no password', '{"username":"diagnosis"}'],
    ['a password that is no text', '{"username":"diagnosis","password":1}'],
  ])('that holds %s is SOURCE_FAILED', async (_what, SecretString) => {
    const service = await startService({ status: 200, body: { SecretString } });
    const { ask, faults } = asking(service.url);

    expect(codeOf(await ask('one'))).toBe('SOURCE_FAILED');
    expect(faults).toEqual(['SECRET_MALFORMED']);
  });

  it.each([
    ['AccessDeniedException', 400, 'SOURCE_DENIED'],
    ['ExpiredTokenException', 400, 'SOURCE_DENIED'],
    ['ThrottlingException', 400, 'SOURCE_THROTTLED'],
    ['ResourceNotFoundException', 400, 'SOURCE_FAILED'],
    ['InternalServiceError', 500, 'SOURCE_UNAVAILABLE'],
  ] as const)(
    'that the service answers with %s is told after one request',
    async (error, status, code) => {
      const service = await startService({ status, error });
      const { ask, faults } = asking(service.url);

      expect(codeOf(await ask('one'))).toBe(code);
      expect(faults).toEqual([error]);
      expect(service.requests).toHaveLength(1);
    },
  );

  it('that does not come in time is SOURCE_UNAVAILABLE', async () => {
    const service = await startService('silence');
    const { ask } = asking(service.url);

    expect(codeOf(await ask('one'))).toBe('SOURCE_UNAVAILABLE');
  });
});

describe.skipIf(missingOpenssl !== null)('a token of RDS', () => {
  it('is signed for each connection and travels in clear text under TLS only', async () => {
    withRole();
    using certificates = makeCertificates('DNS:localhost');
    await using server = await startClearPasswordServer(certificates, () => 'accepted');
    const { ask } = anAdapter({ writer: rdsAt(server.port, certificates.authority) }, QUERIES);

    await ask('one');
    await ask('one');

    const tokens = server.passwords.map((token) => new URL(`https://${token}`));
    expect(
      tokens.map(({ host, searchParams }) => [
        host,
        searchParams.get('Action'),
        searchParams.get('DBUser'),
        searchParams.get('X-Amz-Expires'),
      ]),
    ).toEqual(
      Array.from({ length: 2 }, () => [`localhost:${server.port}`, 'connect', 'diagnosis', '900']),
    );
    expect(server.plainTexts.join('')).not.toContain('X-Amz');
  });

  it('that has expired is SOURCE_DENIED', async () => {
    withRole();
    using certificates = makeCertificates('DNS:localhost');
    await using server = await startClearPasswordServer(certificates, () => 'denied');
    const { ask, faults } = anAdapter(
      { writer: rdsAt(server.port, certificates.authority) },
      QUERIES,
    );

    expect(codeOf(await ask('one'))).toBe('SOURCE_DENIED');
    expect(faults).toEqual(['ER_ACCESS_DENIED_ERROR']);
  });
});

function secureWith({ authority, certificate, key }: TestCertificates): readonly string[] {
  return [`--ssl-ca=${authority}`, `--ssl-cert=${certificate}`, `--ssl-key=${key}`];
}

function withRole(): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-canary-5Lm');
}

function secretAt(endpoint: string): MysqlLogin {
  return {
    kind: 'SECRETS_MANAGER',
    secret_id: 'diagnosis/mysql',
    region: 'eu-central-1',
    endpoint,
  };
}

function secretOf({
  user,
  password,
}: {
  readonly user: string;
  readonly password: string;
}): string {
  return JSON.stringify({ username: user, password, engine: 'mysql', port: 3306 });
}

function rdsAt(port: number, caFile: string): MysqlEndpoint {
  return {
    host: 'localhost',
    port,
    database: 'shop',
    login: { kind: 'RDS_IAM', user: 'diagnosis', region: 'eu-central-1' },
    tls: 'required',
    ca_file: caFile,
  };
}
