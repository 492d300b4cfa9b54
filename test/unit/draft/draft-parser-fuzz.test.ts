import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { parseDraft } from '../../../functions/diagnosis/draft/draft-parser.ts';
import { aDraft, anItem, corpus } from './draft-builders.ts';
import { isDraftToo } from './second-opinion.ts';

// `LONG=1` tries 100,000 drafts at random; without it the same few hundred each time.
const runs =
  process.env['LONG'] === undefined ? { numRuns: 600, seed: 20261130 } : { numRuns: 100_000 };

vi.setConfig({ testTimeout: 600_000 }); // for the long mode

const seeds = [
  JSON.stringify(aDraft({})),
  JSON.stringify(aDraft({ analysis: [anItem({ quotes: null })] }), null, 2),
  JSON.stringify(aDraft({ conclusion: null, analysis: [] })),
  ...corpus<{ text: string; verdict: string }>('draft_json')
    .filter(({ text, verdict }) => verdict === 'accept' && text.length < 1_000)
    .map(({ text }) => text),
];

/** Pieces that parsers have stumbled over. */
const pieces = fc.constantFrom(
  ...[
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
    '\n',
    '\t',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\u0000',
  ],
  ...['null', 'true', '0', '-', '1e999', '"quotes":null,', '"conclusion":null,', '"__proto__":{},'],
  ...[
    '"\\u0063onclusion":null,',
    '\\u',
    '\\ud83d',
    '\\ude00',
    '\ud83d',
    '\ude00',
    '```',
    '//',
    '/*',
  ],
  ...['"type":"OBSERVATION",', '{}', '[]', '""', '" "', '"constructor":1,', '超', '\\/', "'"],
);

const edit = fc.record({
  at: fc.integer({ min: 0, max: 9_999 }), // in ten-thousandths of the text
  remove: fc.constantFrom(0, 0, 0, 1, 2, 7, 40),
  insert: fc.oneof(pieces, fc.string({ maxLength: 3 }), fc.constant('')),
});

const mutated = fc
  .tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 3 }))
  .map(([seed, edits]) =>
    edits.reduce((text, { at, remove, insert }) => {
      const position = Math.floor((at / 10_000) * text.length);
      return text.slice(0, position) + insert + text.slice(position + remove);
    }, seed),
  );

/** Drafts with a member given twice somewhere, with the value it has. */
const doubled = fc.tuple(fc.constantFrom(...seeds.slice(0, 3)), fc.nat()).map(([seed, choice]) => {
  const members = [...seed.matchAll(/"[a-z_]+":\s?(?:null|"[^"]*"|\[\])/g)];
  const member = members[choice % members.length];
  return `${seed.slice(0, member?.index)}${member?.[0]},${seed.slice(member?.index)}`;
});

it('agrees with a second opinion on drafts that were tampered with', () => {
  fc.assert(
    fc.property(mutated, (text) => {
      expect(parseDraft(text).kind === 'draft').toBe(isDraftToo(text));
    }),
    runs,
  );
});

it('accepts no draft that gives a member twice', () => {
  fc.assert(
    fc.property(doubled, (text) => {
      expect(parseDraft(text)).toEqual({ kind: 'refused', code: 'DUPLICATE_KEY' });
    }),
    runs,
  );
});

it('answers to any bytes and any text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' }), fc.json()),
      (lastWords) => {
        expect(parseDraft(lastWords).kind).toBe('refused');
      },
    ),
    runs,
  );
});

it('gives back every draft that it is given', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((body) => `a${body}`);
  const draft = fc.record({
    conclusion: fc.option(text),
    analysis: fc.array(
      text.map((statement) => anItem({ statement })),
      { maxLength: 4 },
    ),
    action_plan: fc.array(text, { maxLength: 4 }),
    recommendations: fc.array(text, { maxLength: 4 }),
    limitations: fc.record({
      checked_scope: fc.array(text, { maxLength: 3 }),
      missing_info: fc.constant([]),
    }),
  });
  fc.assert(
    fc.property(draft, (original) => {
      expect(parseDraft(JSON.stringify(original))).toEqual({ kind: 'draft', draft: original });
    }),
    runs,
  );
});
