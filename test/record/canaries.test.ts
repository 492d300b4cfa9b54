import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { dynamoDbFor } from '../support/dynamodb.ts';
import { deliveryOf, LambdaBench } from '../support/lambda-bench.ts';
import { shortConversation } from '../support/short-conversation.ts';

/** What must stay in the raw result: credentials, personal data, and text that no line has room for. */
const SECRETS = [
  'qz7Hc0-canary-Pw42x',
  'AKIAQZ7CANARY42XPLEQ',
  'canary.person@customer-mail.example',
  '13812345678',
  'qz-tail-5530-beyond-every-line',
];
/** What an operator may look up: in the raw results and in the legend, nowhere else. */
const HOSTS = ['10.77.31.9', '10.77.31.10'];

const TOPIC = 'settlement-service';
const LINES = [
  `batch login failed password=${SECRETS[0]} from ${HOSTS[0]}`,
  `batch upload with key ${SECRETS[1]} to ${HOSTS[1]}`,
  `batch mail to ${SECRETS[2]} and phone ${SECRETS[3]}`,
  `batch dump ${'x'.repeat(20_000)} ${SECRETS[4]}`,
];

const dynamoDb = await dynamoDbFor('what leaves the raw results of the built Lambda');
const logs = mkdtempSync(join(tmpdir(), 'canaries-'));
writeFileSync(
  join(logs, `${TOPIC}.log`),
  LINES.map((line, index) => `2026-11-03T04:3${index}:00.000Z ERROR ${line}\n`).join(''),
);
const bench =
  dynamoDb.endpoint === null
    ? null
    : await LambdaBench.start(dynamoDb, {
        brain: shortConversation,
        logs: { kind: 'FILES', folder: logs },
      });
afterAll(async () => {
  rmSync(logs, { recursive: true, force: true });
  await bench?.[Symbol.asyncDispose]();
});

describe.skipIf(bench === null)(dynamoDb.suite, () => {
  it('holds no secret, and no host but in the legend', { timeout: 60_000 }, async () => {
    const sinks = await sinksOf('canaries');

    const { raw, legend, ...others } = sinks;
    const leaked = Object.entries(others).flatMap(([sink, text]) =>
      [...SECRETS, ...HOSTS]
        .filter((canary) => text.includes(canary))
        .map((canary) => [sink, canary]),
    );
    expect(leaked).toEqual([]);
    expect([...SECRETS, ...HOSTS].filter((canary) => !raw.includes(canary))).toEqual([]);
    expect(HOSTS.filter((host) => !legend.includes(host))).toEqual([]);
    expect(SECRETS.filter((secret) => legend.includes(secret))).toEqual([]);
    expect(others.record).toContain('<ip:1>');
    expect(others.model).toContain('<ip:2>');
  });
});

/** Every place that something of a run gets to, as text. */
async function sinksOf(runId: string) {
  if (bench === null) throw new Error('DynamoDB Local does not run here');
  const [diagnosis, runRecord, cancellation] = await Promise.all([
    bench.start('diagnosis'),
    bench.start('run-record'),
    bench.start('cancellation'),
  ]);
  const delivery = deliveryOf(runId);
  const outcome = await diagnosis.invoke(delivery);
  const event = { ...delivery.event, query: 'another question under the same id' };
  const conflict = await diagnosis.invoke({ ...delivery, event });
  const page = await runRecord.invoke({ ...delivery, event: { run_id: runId } });
  const cancelled = await cancellation.invoke({ ...delivery, event: { run_id: runId } });
  const logs = await Promise.all([diagnosis.end(), runRecord.end(), cancellation.end()]);
  const { recordTable, rawTable } = bench.tables;
  return {
    outcome: JSON.stringify(outcome),
    errors: JSON.stringify([conflict, cancelled]),
    page: JSON.stringify(page),
    log: logs.join(''),
    model: JSON.stringify(bench.model.requests),
    record: await itemsAsText(recordTable, runId, ''),
    raw: await itemsAsText(rawTable, runId, 'RAW#'),
    legend: await itemsAsText(rawTable, runId, 'LEGEND'),
  };
}

/** Items of a run with everything compressed unpacked. */
async function itemsAsText(TableName: string, runId: string, prefix: string): Promise<string> {
  const items = await bench?.client.send(
    new QueryCommand({ TableName, ...keyCondition(runId, prefix) }),
  );
  return JSON.stringify(items?.Items ?? [], (_key, value) =>
    value instanceof Uint8Array ? unpacked(value) : value,
  );
}

function keyCondition(runId: string, prefix: string) {
  const isUnder = prefix === '' ? '' : ' AND begins_with(sk, :prefix)';
  return {
    KeyConditionExpression: `pk = :pk${isUnder}`,
    ExpressionAttributeValues: {
      ':pk': `RUN#${runId}`,
      ...(prefix !== '' && { ':prefix': prefix }),
    },
  };
}

/** Hashes are bytes that no one packed. */
function unpacked(bytes: Uint8Array): string {
  const isPacked = Buffer.from(bytes.subarray(0, 4)).toString('hex') === '28b52ffd';
  return isPacked ? zstdDecompressSync(bytes).toString('utf8') : Buffer.from(bytes).toString('hex');
}
