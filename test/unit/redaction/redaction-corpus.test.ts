import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../shared/redaction/redact.ts';

interface CorpusRow {
  readonly id: string;
  readonly kind: string;
  readonly tier: 'core' | 'hard' | 'contested';
  readonly polarity: 'positive' | 'negative';
  readonly text: string;
  readonly must_not_contain: readonly string[];
  readonly also_not_contain: readonly string[];
  readonly must_keep: readonly string[];
}

const rows = readRows();

describe.each(['core', 'hard', 'contested'] as const)('%s rows', (tier) => {
  const ofTier = rows.filter((row) => row.tier === tier);

  it.each(ofTier.filter((row) => row.polarity === 'positive'))(
    'loses every secret and keeps the rest: $id $kind',
    ({ text, must_not_contain, also_not_contain, must_keep }) => {
      const redacted = redact(text);

      const leaked = [...must_not_contain, ...also_not_contain].filter((one) =>
        redacted.includes(one),
      );
      const lost = must_keep.filter((one) => !redacted.includes(one));
      expect({ leaked, lost }).toEqual({ leaked: [], lost: [] });
    },
  );

  it.each(ofTier.filter((row) => row.polarity === 'negative'))(
    'comes out unchanged: $id $kind',
    ({ text }) => {
      expect(redact(text)).toBe(text);
    },
  );
});

it.each(rows)('is redacted once and for all: $id $kind', ({ text }) => {
  const once = redact(text);

  expect(redact(once)).toBe(once);
});

function readRows(): CorpusRow[] {
  const file = new URL('../../corpora/redaction.jsonl', import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CorpusRow); // our own file, one row a line
}
