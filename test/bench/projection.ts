import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RawLogWriter } from '../../functions/diagnosis/tools/query-logs/log-raw.ts';
import { print, printGrowth } from './cpu.ts';

const CHILD = fileURLToPath(new URL('projection-child.ts', import.meta.url));

/** A heap of 60 MB in all, so that what is counted is needed and not only not yet collected. */
const HEAP = ['--max-old-space-size=48', '--max-semi-space-size=4'];

interface Measured {
  readonly seconds: number;
  readonly extraKilobytes: number;
  readonly secondsOfTwice: number;
}

/** Prints what projecting results of n and 2n lines takes, in a process of their own. */
export function measureProjection(name: string, lineAt: (at: number) => string, count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const [once, twice] = [join(folder, 'once'), join(folder, 'twice')];
    writeFileSync(once, rawOf(count, lineAt));
    writeFileSync(twice, rawOf(2 * count, lineAt));
    const output = execFileSync(process.execPath, [...HEAP, CHILD, once, twice], {
      encoding: 'utf8',
    });
    const measured = JSON.parse(output) as Measured; // written by our own child
    printGrowth(`project ${count.toLocaleString('en')} ${name}`, [
      measured.seconds,
      measured.secondsOfTwice,
    ]);
    print('  extra memory', `${(measured.extraKilobytes / 1_024).toFixed(1)} MB (bound: 64)`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rawOf(count: number, lineAt: (at: number) => string): Uint8Array {
  const writer = new RawLogWriter();
  for (let at = 0; at < count; at += 1) {
    if (!writer.add({ epochMs: 1.78e12 + at * 20, text: lineAt(at) })) throw new Error('too large');
  }
  return writer.finish({ zoneAssumed: false, bytesReplaced: 0, newestMayBeMissing: false });
}
