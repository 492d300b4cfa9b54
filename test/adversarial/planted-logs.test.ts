import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LogsObservationSchema } from '../../shared/contracts/observation.ts';
import { AS_OF, capsuleTools } from '../support/capsule-tools.ts';
import { conclude } from '../support/drafts.ts';
import { play, rawCall, round } from '../support/played.ts';

interface Planted {
  readonly id: string;
  readonly text: string;
  readonly carrier: string;
  readonly canary: string;
}

const PLANTED = readFileSync('test/corpora/injection.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Planted => JSON.parse(line))
  .filter(({ carrier, canary }) => carrier === 'log' && canary !== null);

const ASK = rawCall('query_logs', { input: { topic: 'orders', query: '', lookback_minutes: 60 } });

describe('words planted in a log (field issue 60)', () => {
  it.each(PLANTED)(
    'are strings of one observation and change nothing else: $id',
    async (planted) => {
      const line = `2026-11-03T04:40:00Z ERROR pay.Memo - memo: ${planted.text}`;
      const evidence = await capsuleTools({ files: { 'logs/orders.log': `${line}\n` } });

      const played = await play([round(ASK), conclude()], { evidence, request: { as_of: AS_OF } });

      const [shown] = played.shownAfter(1);
      expect(LogsObservationSchema.safeParse(shown).success).toBe(true);
      expect(shown).toMatchObject({ tool_call_id: 'call-1', evidence_status: 'EVIDENCE_FOUND' });
      expect(played.requests).toHaveLength(2);
      const [first, second] = played.requests.map(({ body }) => body);
      expect([second?.system, second?.toolConfig]).toEqual([first?.system, first?.toolConfig]);
      expect(JSON.stringify([played.outcome.draft, played.steps])).not.toContain(planted.canary);
    },
  );
});
