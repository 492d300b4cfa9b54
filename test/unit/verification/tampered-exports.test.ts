import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readExport } from '../../../functions/cli/verification/export-file.ts';
import type { AtHand } from '../../../functions/cli/verification/verify-record.ts';
import { recordPages, type WholeRecord } from '../../../functions/run-record/record-pages.ts';
import { utf8Bytes } from '../../../shared/kernel/utf8.ts';
import { atHand } from '../../support/at-hand.ts';
import { at, leavesOf, replaced } from '../../support/json-leaves.ts';
import { aRecordedRun } from '../../support/recorded-run.ts';
import { TRIALS } from '../../support/trials.ts';
import { doubtedIn, forged } from '../../support/verified-export.ts';

let whole: WholeRecord;
let things: AtHand;
beforeAll(async () => {
  using run = await aRecordedRun();
  whole = run.whole;
  things = await atHand();
});

describe('an exported record', () => {
  it('holds as it was exported: one page, an array of pages, a line feed behind it', () => {
    const [page] = recordPages(whole);
    const texts = [page, [page], recordPages(whole, 2_000)].map((pages) => JSON.stringify(pages));

    const doubted = [...texts, `${texts[0]}\n`].map((text) => doubtedIn(utf8Bytes(text), things));

    expect(doubted).toEqual([[], [], [], []]);
  });

  it('never holds with a bit of it flipped', () => {
    const exported = forged(whole);

    fc.assert(
      fc.property(fc.nat(exported.byteLength - 1), fc.nat(7), (place, bit) => {
        const tampered = Uint8Array.from(exported);
        tampered[place] = (tampered[place] ?? 0) ^ (1 << bit);

        expect(readExport(tampered).doubts).not.toEqual([]);
      }),
      TRIALS,
    );
  });

  it('never holds with a byte taken out or put in', () => {
    const exported = forged(whole);

    fc.assert(
      fc.property(fc.nat(exported.byteLength - 1), fc.nat(255), fc.nat(1), (place, byte, cut) => {
        const inserted = cut === 1 ? [] : [byte];
        const rest = exported.subarray(place + cut);
        const tampered = Uint8Array.from([...exported.subarray(0, place), ...inserted, ...rest]);
        fc.pre(Buffer.compare(tampered, exported) !== 0);

        const isLastLineFeed = place >= exported.byteLength && byte === 10;
        expect(readExport(tampered).doubts.length > 0).toBe(!isLastLineFeed);
      }),
      TRIALS,
    );
  });

  it('never holds with a field edited under its old digest', () => {
    const pages = JSON.parse(JSON.stringify(recordPages(whole)));
    const leaves = leavesOf(pages);

    fc.assert(
      fc.property(fc.nat(leaves.length - 1), fc.anything(), (index, value) => {
        const path = leaves[index] ?? [];
        const json = JSON.stringify(value) ?? 'null';
        fc.pre(json !== JSON.stringify(at(pages, path)));
        const tampered = JSON.stringify(replaced(pages, path, JSON.parse(json)));

        expect(readExport(utf8Bytes(tampered)).doubts).not.toEqual([]);
      }),
      TRIALS,
    );
  });

  it.each<[string, (pages: ReturnType<typeof recordPages>) => unknown]>([
    ['its first page', (pages) => pages.slice(1)],
    ['a page in the middle', (pages) => pages.filter(({ page }) => page !== 2)],
    ['its last page', (pages) => pages.slice(0, -1)],
    ['everything', () => []],
  ])('never holds without %s', (_what, change) => {
    const pages = recordPages(whole, 2_000);

    const doubted = doubtedIn(utf8Bytes(JSON.stringify(change(pages))), things);

    expect(doubted).toContain('form');
  });

  it('never holds with pages swapped, repeated or of another run', () => {
    const pages = recordPages(whole, 2_000);
    const [first, second, ...rest] = pages;
    const run = { ...whole.run, run_id: 'run-2' } as WholeRecord['run'];
    const [, foreign] = recordPages({ ...whole, run }, 2_000);

    const doubted = [
      [second, first, ...rest],
      [first, second, second, ...rest],
      [first, foreign, ...rest],
    ].map((changed) => doubtedIn(utf8Bytes(JSON.stringify(changed)), things));

    expect(doubted.map((names) => names.includes('form'))).toEqual([true, true, true]);
  });

  it('never holds when it was only put into other lines', () => {
    const indented = JSON.stringify(recordPages(whole), null, 2);

    expect(doubtedIn(utf8Bytes(indented), things)).toEqual(['form']);
  });

  it('is refused when a newer version wrote it', () => {
    const [page] = recordPages(whole);

    const { record, doubts } = readExport(
      utf8Bytes(JSON.stringify({ ...page, schema_version: 2, more: true })),
    );

    expect(record).toBeNull();
    expect(doubts).toEqual(['page 1 is of schema version 2; this program reads up to 1']);
  });
});
