import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toToolCallId } from '../../shared/contracts/identifiers.ts';
import { sha256Hex } from '../../shared/kernel/canonical-json.ts';
import { type StoreOpener, useStore } from './contract-store.ts';
import { runWith, STATUSES } from './invocation-moves.ts';
import {
  anOpenInvocation,
  aRaw,
  aReadySettlement,
  aRun,
  CALL_1,
  CREATED,
  DURING,
  keyOf,
  pseudoRandomText,
  SIGNAL,
} from './run-builders.ts';

/** What is kept of an invocation and its raw result, whatever keeps it. */
export function describeInvocationKeeping(open: StoreOpener): void {
  const under = useStore(open, CREATED);

  describe('what an invocation keeps', () => {
    it('keeps every member of every status', async () => {
      const keys = await Promise.all(STATUSES.map((status) => runWith(under.store, status)));

      const kept = await Promise.all(
        keys.map(({ runId }) => under.store.readInvocations(runId, SIGNAL)),
      );

      const raw = aRaw().reference;
      const opened = keys.map((key) => anOpenInvocation(key));
      expect(kept).toEqual([
        [],
        [opened[1]],
        [{ ...opened[2], status: 'PROJECTING', raw }],
        [{ ...opened[3], status: 'READY', raw, ...READY_MEMBERS }],
        [
          {
            ...opened[4],
            status: 'ERROR',
            raw: null,
            error_code: 'TOOL_TIMEOUT',
            settled_at: DURING,
          },
        ],
        [{ ...opened[5], status: 'ERROR', raw, error_code: 'TOOL_TIMEOUT', settled_at: DURING }],
      ]);
    });

    it.each([
      ['of 12,288 bytes of Chinese', `{"line":"${'超时'.repeat(2_046)}"}`],
      ['of 12,288 bytes without any repetition', pseudoRandomText(12_288)],
      [
        'with four-byte letters, joiners and escapes',
        '{"line":"𠮷👩‍👩‍👧 e\u0301 \\u0000 \u2028 \u0000"}',
      ],
    ])('hands back an observation %s as it was', async (_what, observation) => {
      const key = await runWith(under.store, 'PROJECTING');

      await under.store.settleReady(key, CALL_1, aReadySettlement(observation), SIGNAL);

      const [invocation] = await under.store.readInvocations(key.runId, SIGNAL);
      expect(invocation).toMatchObject({ status: 'READY', observation });
    });

    it('hands back invocations in the order of their calls', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      for (const ordinal of [10, 2, 1, 11]) {
        const invocation = anOpenInvocation(keyOf(run), toToolCallId(ordinal));
        await under.store.openInvocation(keyOf(run), invocation, SIGNAL);
      }

      const invocations = await under.store.readInvocations(run.record.run_id, SIGNAL);

      const ids = invocations.map(({ tool_call_id }) => tool_call_id);
      expect(ids).toEqual(['call-1', 'call-2', 'call-10', 'call-11']);
    });
  });

  describe('the raw result', () => {
    it('comes back equal from several pieces', async () => {
      const key = await runWith(under.store, 'OPEN');
      const bytes = Buffer.from(pseudoRandomText(1_000_000));
      const raw = aRaw(bytes);

      await under.store.startProjection(key, CALL_1, raw, SIGNAL);

      const kept = await under.opened.readRaw(key.runId, CALL_1);
      expect(raw.chunks.length).toBeGreaterThan(1);
      expect(zstdDecompressSync(kept).equals(bytes)).toBe(true);
    });

    it('is not touched by another writer', async () => {
      const key = await runWith(under.store, 'PROJECTING');
      const before = await under.opened.readRaw(key.runId, CALL_1);
      const stranger = { ...key, fence: 'another-fence' };

      await under.store.startProjection(stranger, CALL_1, aRaw('else'), SIGNAL);
      await under.store.startProjection(key, CALL_1, aRaw('else'), SIGNAL);

      expect(await under.opened.readRaw(key.runId, CALL_1)).toEqual(before);
    });

    it('is not written by another writer before its owner does', async () => {
      const key = await runWith(under.store, 'OPEN');
      const stranger = { ...key, fence: 'another-fence' };

      const lost = await under.store.startProjection(stranger, CALL_1, aRaw('else'), SIGNAL);
      const written = await under.store.startProjection(key, CALL_1, aRaw('ours'), SIGNAL);

      const kept = await under.opened.readRaw(key.runId, CALL_1);
      expect([lost, written]).toEqual([{ kind: 'lost' }, { kind: 'written' }]);
      expect(zstdDecompressSync(kept).toString()).toBe('ours');
    });

    it('stays out of the record', async () => {
      const key = await runWith(under.store, 'OPEN');

      await under.store.startProjection(key, CALL_1, aRaw('canary-of-the-raw'), SIGNAL);

      expect(await under.opened.dumpRecord(key.runId)).not.toContain('canary');
    });
  });
}

const READY_MEMBERS = {
  evidence_status: 'EVIDENCE_FOUND',
  observation: '{"tool_call_id":"call-1"}',
  observation_sha256: sha256Hex('{"tool_call_id":"call-1"}'),
  truncated: true,
  executed: {
    statement: 'filter @message like "超时"',
    window: { from: CREATED, to: DURING },
    sources: ['/aws/payment'],
  },
  settled_at: DURING,
};
