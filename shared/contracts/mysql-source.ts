import { z } from 'zod';
import { nonBlankText } from './bounded-text.ts';
import { InstantSchema } from './identifiers.ts';

const PathSchema = nonBlankText(1_024);
const RegionSchema = nonBlankText(32);
const UserSchema = nonBlankText(128); // MySQL takes 32 characters, MariaDB 128

/** Answers from a snapshot folder `<schema>/<table>.json`. */
export const MysqlSnapshotSchema = z.strictObject({
  kind: z.literal('SNAPSHOT'),
  folder: PathSchema,
  taken_at: InstantSchema,
});

/** How a connection proves who it is. The proof itself never stands in a configuration. */
export const MysqlLoginSchema = z.discriminatedUnion('kind', [
  // A token signed for each connection with the function's own role.
  z.strictObject({
    kind: z.literal('RDS_IAM'),
    user: UserSchema,
    region: RegionSchema.optional(),
  }),
  // A secret whose text is a JSON object with `username` and `password`, as RDS writes it.
  z.strictObject({
    kind: z.literal('SECRETS_MANAGER'),
    secret_id: nonBlankText(2_048),
    region: RegionSchema.optional(),
    endpoint: z.url().max(512).optional(),
  }),
  z.strictObject({ kind: z.literal('PASSWORD_FILE'), user: UserSchema, file: PathSchema }),
]);
export type MysqlLogin = z.infer<typeof MysqlLoginSchema>;

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** One MySQL server: where it is, what is read there, as whom. */
export const MysqlEndpointSchema = z
  .strictObject({
    host: z.union([z.hostname().max(253), z.ipv4(), z.ipv6()]),
    port: z.int().min(1).max(65_535).default(3_306),
    /** The application's schema: tables without a schema are its. */
    database: z.string().regex(/^[A-Za-z0-9_$-]{1,64}$/, 'must be a schema name'),
    login: MysqlLoginSchema,
    tls: z.enum(['required', 'off']).default('required'),
    /** PEM certificates to trust instead of Amazon's own for RDS. */
    ca_file: PathSchema.optional(),
  })
  .refine(({ tls, host }) => tls === 'required' || LOOPBACK.includes(host), {
    error: 'tls may be off for this machine only',
    path: ['tls'],
  })
  .refine(({ tls, host }) => tls === 'off' || !isAddress(host), {
    // The driver checks no address against a certificate.
    error: 'must be a name where TLS is required',
    path: ['host'],
  })
  .refine(({ tls, login }) => tls === 'required' || login.kind !== 'RDS_IAM', {
    error: 'must be required, since an RDS token travels in clear text',
    path: ['tls'],
  });
export type MysqlEndpoint = z.infer<typeof MysqlEndpointSchema>;

function isAddress(host: string): boolean {
  return z.ipv4().safeParse(host).success || z.ipv6().safeParse(host).success;
}

/** Answers from a live server; a query for the reader goes to the writer where there is no reader. */
export const MysqlServerSchema = z.strictObject({
  kind: z.literal('MYSQL'),
  writer: MysqlEndpointSchema,
  reader: MysqlEndpointSchema.optional(),
  /** Schemas beside `database` and the server's own that catalogued queries may name. */
  application_schemas: z
    .array(z.string().regex(/^[A-Za-z0-9_$]{1,64}$/, 'must be a schema name'))
    .max(16)
    .default([]),
});
export type MysqlServer = z.infer<typeof MysqlServerSchema>;
