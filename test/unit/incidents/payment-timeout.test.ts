import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { generateCapsule } from '../../../functions/cli/incident-generator/payment-timeout/payment-timeout.ts';
import { IncidentSchema } from '../../../shared/contracts/incident.ts';

const FOLDER = fileURLToPath(
  new URL('../../../functions/cli/incidents/payment-timeout', import.meta.url),
);
const capsule = generateCapsule();
const incident = manifestOf(capsule);
const asOf = Date.parse(incident.as_of);

const OTHER_NAMES = {
  company: 'lantian',
  order: 'trade-api',
  payment: 'cashier-api',
  settlement: 'clearing-job',
  bystander: 'coupon-push',
  channels: ['PAYA', 'PAYB', 'PAYC'],
  schema: 'mall',
} as const;

describe('the shipped capsule', () => {
  it('is what the generator makes, byte for byte', () => {
    const shipped = new Map(filesIn(FOLDER).map((path) => [path, readShipped(path)]));

    expect([...shipped.keys()].sort()).toEqual([...capsule.keys()].sort());
    expect(shipped).toEqual(capsule);
  });

  it('stays within 1.2 MB', () => {
    const bytes = [...capsule.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

    expect(bytes).toBeLessThanOrEqual(1_200_000);
  });

  it('has a log for every topic and no other', () => {
    const logs = [...capsule.keys()].filter((path) => path.startsWith('logs/'));

    expect(logs).toEqual(incident.topics.map(({ name }) => `logs/${name}.log`));
  });

  it('has six documents, two of which speak neither of payments nor of locks', () => {
    const documents = [...capsule].filter(([path]) => path.startsWith('knowledge/'));

    const strangers = documents.filter(([, text]) => !/支付|锁等待/.test(text));

    expect(documents).toHaveLength(6);
    expect(strangers.map(([path]) => path)).toEqual([
      'knowledge/office-vpn.md',
      'knowledge/frontend-tracking.md',
    ]);
  });

  it('ends before the instant of the question, in order of time', () => {
    const times = incident.topics.map(({ name }) => timesIn(linesOf(capsule, name)));

    const disordered = times.map((of) => of.filter((at, index) => at < (of[index - 1] ?? at)));

    expect(disordered).toEqual([[], [], [], []]);
    expect(Math.max(...times.flat())).toBeLessThan(asOf);
  });

  it('names the lock in one log, the holder in none', () => {
    const naming = incident.topics.filter(({ name }) =>
      capsule.get(`logs/${name}.log`)?.includes('Lock wait timeout exceeded'),
    );
    const pid = blockingPid(capsule);

    const telling = incident.topics.filter(({ name }) =>
      capsule.get(`logs/${name}.log`)?.includes(`${pid}`),
    );

    expect(naming.map(({ name }) => name)).toEqual(['payment-service']);
    expect(telling).toEqual([]);
  });

  it('warns of the slow channel as often in healthy minutes as during the incident', () => {
    const warnings = timesIn(linesOf(capsule, 'payment-service', '渠道响应偏慢'));
    const inSpan = (from: number, to: number) =>
      warnings.filter((at) => at >= asOf - from * 60_000 && at < asOf - to * 60_000).length;

    const perTwentyMinutes = [inSpan(120, 100), inSpan(80, 60), inSpan(20, 0)];

    expect(Math.max(...perTwentyMinutes) - Math.min(...perTwentyMinutes)).toBeLessThanOrEqual(2);
  });

  it('shows an unrelated deployment nearer in time than the one that matters', () => {
    const services = linesOf(capsule, 'deployments').slice(-2);

    expect(services.map((line) => /service=(\S+)/.exec(line)?.[1])).toEqual([
      'settlement-service',
      'notification-service',
    ]);
  });

  it.each([
    ['a secret', 'payment-service', /appSecret=[0-9a-f]{32}/],
    ['a password', 'settlement-service', /password=Stl-[0-9a-f]{10}/],
    ['a mobile number', 'order-service', /手机号=139\d{8}/],
  ])('plants %s for the redactor', (_what, topic, planted) => {
    expect(capsule.get(`logs/${topic}.log`)).toMatch(planted);
  });
});

describe('another copy', () => {
  it('is the same for the same options', () => {
    expect(generateCapsule({ seed: 7, names: OTHER_NAMES })).toEqual(
      generateCapsule({ seed: 7, names: OTHER_NAMES }),
    );
  });

  it('has other names throughout', () => {
    const texts = [...generateCapsule({ seed: 7, names: OTHER_NAMES }).values()].join('\n');

    const leftovers = [
      ...incident.topics.map(({ name }) => name).filter((name) => name !== 'deployments'),
      ...['yunmart', 'notification-service', 'ALIPAY', 'WECHAT', 'UNIONPAY', '"shop"'],
    ].filter((name) => texts.includes(name));

    expect(leftovers).toEqual([]);
  });

  it('has other numbers throughout', () => {
    const ours = new Set(paymentNumbersOf(capsule));

    const other = generateCapsule({ seed: 7 });

    expect(manifestOf(other).as_of).not.toBe(incident.as_of);
    expect(blockingPid(other)).not.toBe(blockingPid(capsule));
    expect(paymentNumbersOf(other).filter((number) => ours.has(number))).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('holds together for seed %i', (seed) => {
    const other = generateCapsule({ seed });

    const waits = rowsOf(other, 'performance_schema/data_lock_waits');
    const waiting = rowsOf(other, 'information_schema/innodb_trx').filter(
      ([, state]) => state === 'LOCK WAIT',
    );

    expect(waits.length).toBeGreaterThan(0);
    expect(waiting).toHaveLength(waits.length);
    expect(other.get('logs/payment-service.log')).toContain('Connection is not available');
  });
});

describe('a copy without what decides', () => {
  it('keeps the symptoms in the logs and loses lock, settlement run and its deployment', () => {
    const logs = logTexts(generateCapsule({ omitDecisive: ['LOGS'] }));

    expect(logs).toContain('Read timed out');
    expect(logs).toContain('Connection is not available');
    expect(logs).not.toMatch(/Lock wait|chunk-size|chunks=1 |尚未提交/);
  });

  it('has no open transaction, lock or wait in MySQL', () => {
    const bare = generateCapsule({ omitDecisive: ['MYSQL'] });

    const left = [
      'information_schema/innodb_trx',
      'performance_schema/data_locks',
      'performance_schema/data_lock_waits',
      'sys/innodb_lock_waits',
    ].map((table) => rowsOf(bare, table));

    expect(left).toEqual([[], [], [], []]);
  });

  it('asks the same question', () => {
    const bare = generateCapsule({ omitDecisive: ['LOGS', 'MYSQL'] });

    expect(bare.get('incident.json')).toBe(capsule.get('incident.json'));
  });
});

type Capsule = ReadonlyMap<string, string>;

function manifestOf(of: Capsule) {
  return IncidentSchema.parse(JSON.parse(of.get('incident.json') ?? ''));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function readShipped(path: string): string {
  return readFileSync(join(FOLDER, path), 'utf8');
}

function linesOf(of: Capsule, topic: string, part = ''): string[] {
  const lines = of.get(`logs/${topic}.log`)?.split('\n') ?? [];
  return lines.filter((line) => line !== '' && line.includes(part));
}

/** Instants of the lines that begin with a logback or a naked local time; China keeps UTC+8. */
function timesIn(lines: readonly string[]): number[] {
  return lines.flatMap((line) => {
    const [, day, time] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{3})?)/.exec(line) ?? [];
    return day === undefined ? [] : [Date.parse(`${day}T${time}+08:00`)];
  });
}

function rowsOf(of: Capsule, table: string): unknown[][] {
  // Written by the generator as columns and rows.
  return (JSON.parse(of.get(`mysql/${table}.json`) ?? '') as { rows: unknown[][] }).rows;
}

function blockingPid(of: Capsule): unknown {
  return rowsOf(of, 'sys/innodb_lock_waits')[0]?.[6];
}

function paymentNumbersOf(of: Capsule): string[] {
  return of.get('logs/payment-service.log')?.match(/paymentNo=P\d+/g) ?? [];
}

function logTexts(of: Capsule): string {
  return [...of].flatMap(([path, text]) => (path.startsWith('logs/') ? [text] : [])).join('');
}
