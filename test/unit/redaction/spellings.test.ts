import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { redact } from '../../../shared/redaction/redact.ts';

/** `gone` and `kept` for a text that holds a secret; neither for one that must come out unchanged. */
interface Spelling {
  readonly kind: string;
  readonly text: string;
  readonly gone?: readonly string[];
  readonly kept?: readonly string[];
}

const spellings = readSpellings();

it.each(spellings.filter((row) => row.gone !== undefined))(
  'loses the secret and keeps the rest: $kind $text',
  ({ text, gone = [], kept = [] }) => {
    const redacted = redact(text);

    const leaked = gone.filter((one) => redacted.includes(one));
    const lost = kept.filter((one) => !redacted.includes(one));
    expect({ leaked, lost }).toEqual({ leaked: [], lost: [] });
  },
);

it.each(spellings.filter((row) => row.gone === undefined))('leaves alone: $text', ({ text }) => {
  expect(redact(text)).toBe(text);
});

function readSpellings(): Spelling[] {
  return readFileSync(new URL('spellings.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Spelling); // our own file, one row a line
}
