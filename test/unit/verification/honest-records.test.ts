import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyRecord } from '../../../functions/cli/verification/verify-record.ts';
import { atHand } from '../../support/at-hand.ts';
import { conversation } from '../../support/random-conversation.ts';
import { COSTLY_TRIALS, played, TRIALS_TIMEOUT_MS } from '../../support/trials.ts';

describe('the record of whatever a model says and its sources do', {
  timeout: TRIALS_TIMEOUT_MS,
}, () => {
  it('holds, its observations made again included', async () => {
    const things = await atHand();

    await fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const { record, rawResults } = await played(plan);

        const rawOf = (toolCallId: string) => rawResults.get(toolCallId) ?? null;
        const findings = record === null ? null : verifyRecord(record, { ...things, rawOf });

        expect(findings?.filter(({ kind }) => kind === 'doubtful')).toEqual([]);
        expect(findings?.at(-1)?.kind).toBe('holds');
      }),
      COSTLY_TRIALS,
    );
  });
});
