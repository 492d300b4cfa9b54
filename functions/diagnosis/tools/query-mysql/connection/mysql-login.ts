import { readFile } from 'node:fs/promises';
import type { MysqlEndpoint, MysqlLogin } from '../../../../../shared/contracts/mysql-source.ts';
import { MysqlFailure } from './mysql-failure.ts';

/** User and password of one connection; never kept longer than it takes to connect. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Gets fresh credentials for each connection, so that rotation and expiry need no care. */
export type CredentialSource = (signal: AbortSignal) => Promise<Credentials>;

/** How long AWS may take to hand out a secret; milliseconds, as long as the connection itself. */
const SECRET_TIMEOUT_MS = 3_000;

/** The source that an endpoint's configuration names. The SDKs are loaded when it is first asked. */
export function credentialSource({ host, port, login }: MysqlEndpoint): CredentialSource {
  switch (login.kind) {
    case 'RDS_IAM':
      return () => rdsToken({ host, port, login });
    case 'SECRETS_MANAGER':
      return (signal) => secret(login, signal);
    case 'PASSWORD_FILE':
      return async (signal) => {
        const text = await readFile(login.file, { encoding: 'utf8', signal });
        return { user: login.user, password: text.replace(/\r?\n$/, '') };
      };
  }
}

type LoginOf<Kind extends MysqlLogin['kind']> = Extract<MysqlLogin, { kind: Kind }>;

/** Signed here, without a request; RDS takes it for fifteen minutes. */
async function rdsToken({
  host,
  port,
  login,
}: Pick<MysqlEndpoint, 'host' | 'port'> & {
  readonly login: LoginOf<'RDS_IAM'>;
}): Promise<Credentials> {
  const { Signer } = await import('@aws-sdk/rds-signer');
  const { user, region } = login;
  const signer = new Signer({
    hostname: host,
    port,
    username: user,
    ...(region !== undefined && { region }),
  });
  return { user, password: await signer.getAuthToken() };
}

async function secret(
  { secret_id, region, endpoint }: LoginOf<'SECRETS_MANAGER'>,
  signal: AbortSignal,
): Promise<Credentials> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import(
    '@aws-sdk/client-secrets-manager'
  );
  const client = new SecretsManagerClient({
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    maxAttempts: 1,
    requestHandler: { connectionTimeout: SECRET_TIMEOUT_MS, requestTimeout: SECRET_TIMEOUT_MS },
  });
  try {
    const answer = await client.send(new GetSecretValueCommand({ SecretId: secret_id }), {
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(SECRET_TIMEOUT_MS)]),
    });
    return readSecret(answer.SecretString);
  } finally {
    client.destroy();
  }
}

/** @throws MysqlFailure for anything but a JSON object with `username` and `password` */
function readSecret(text: string | undefined): Credentials {
  const read = parseJson(text ?? '');
  if (typeof read === 'object' && read !== null && 'username' in read && 'password' in read) {
    const { username, password } = read;
    if (typeof username === 'string' && typeof password === 'string') {
      return { user: username, password };
    }
  }
  throw new MysqlFailure('SOURCE_FAILED', 'SECRET_MALFORMED');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A secret that is no JSON is malformed, which the caller says without its text.
  }
}
