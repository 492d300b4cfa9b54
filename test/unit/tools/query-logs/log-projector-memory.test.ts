import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { RawLogWriter } from '../../../../functions/diagnosis/tools/query-logs/log-raw.ts';
import { Dice, Noise } from '../../../support/noise.ts';

const ENTRIES = 100_000;
const WORKER = new URL('../../../support/projection-worker.ts', import.meta.url);
/** The heap of the whole worker, its own code included: 64 MB. */
const HEAP = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 16 };

it.each([
  ['of usual lines', (dice: Dice) => usualLines(dice)],
  ['of which each is a new template', (dice: Dice) => () => `ERROR ${words(dice)}`],
])(`projects ${ENTRIES} entries %s within 64 MB`, async (_name, linesOf) => {
  const lineAt = linesOf(new Dice(7));
  const writer = new RawLogWriter();
  for (let at = 0; at < ENTRIES; at += 1) writer.add({ epochMs: at * 20, text: lineAt(at) });
  const raw = writer.finish({ zoneAssumed: false, bytesReplaced: 0, newestMayBeMissing: false });

  const worker = new Worker(WORKER, { workerData: raw, resourceLimits: HEAP });

  expect(await once(worker, 'message')).toEqual([ENTRIES]);
});

function usualLines(dice: Dice): (at: number) => string {
  const noise = new Noise(dice);
  return (at) => noise.line(at * 20);
}

function words(dice: Dice): string {
  const word = () =>
    dice
      .below(2 ** 31)
      .toString(36)
      .replace(/\d/g, 'x');
  return Array.from({ length: 9 }, word).join(' ');
}
