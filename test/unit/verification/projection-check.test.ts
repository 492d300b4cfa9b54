import { describe, expect, it } from 'vitest';
import { verifyRecord } from '../../../functions/cli/verification/verify-record.ts';
import { utf8Bytes } from '../../../shared/kernel/utf8.ts';
import { openSqliteRawResults } from '../../../shared/store/sqlite-raw.ts';
import { atHand } from '../../support/at-hand.ts';
import { aRecordedRun, type RecordedRun } from '../../support/recorded-run.ts';

/** What the record's projection check comes to with these raw results. */
async function projectionOf(
  { whole }: RecordedRun,
  rawOf: ((toolCallId: string) => Uint8Array | null) | null,
) {
  return verifyRecord(whole, await atHand(rawOf)).find(({ name }) => name === 'projection');
}

function rawResultsOf({ dataFolder, runId }: RecordedRun) {
  const raw = openSqliteRawResults(`${dataFolder}/record.sqlite`);
  const read = new Map(['call-2', 'call-3', 'call-4'].map((id) => [id, raw.read(runId, id)]));
  raw.close();
  return read;
}

describe('the projection of a record', () => {
  it('holds over its raw results, marks and all', async () => {
    using run = await aRecordedRun();
    const raw = rawResultsOf(run);

    const finding = await projectionOf(run, (id) => raw.get(id) ?? null);

    expect(finding?.kind).toBe('holds');
    expect(JSON.stringify(run.whole)).toContain('<ip:1>');
  });

  it('is in doubt over a raw result that was changed', async () => {
    using run = await aRecordedRun();
    const raw = rawResultsOf(run).set('call-3', utf8Bytes('{}'));

    const finding = await projectionOf(run, (id) => raw.get(id) ?? null);

    expect(finding).toMatchObject({
      kind: 'doubtful',
      doubts: expect.arrayContaining([
        'the raw result of call-3 does not match its hash',
        'the observation of call-3 is not what its raw result gives',
      ]),
    });
  });

  it('is not checked without raw results, or with one of them gone', async () => {
    using run = await aRecordedRun();
    const raw = rawResultsOf(run);

    const findings = [
      await projectionOf(run, null),
      await projectionOf(run, (id) => (id === 'call-3' ? null : (raw.get(id) ?? null))),
    ];

    expect(findings.map((finding) => finding?.kind)).toEqual(['not_checked', 'not_checked']);
  });
});
