import { logProjector } from '../../functions/diagnosis/tools/query-logs/log-projector.ts';
import { RawLogWriter } from '../../functions/diagnosis/tools/query-logs/log-raw.ts';
import { createRedactor } from '../../shared/redaction/redactor.ts';
import { Dice, type Format, Noise, type Said, written } from './noise.ts';

/** One decisive line put somewhere among lines of noise, and whether the model would see it. */
export interface Trial {
  readonly seed: number;
  readonly format: Format;
  readonly decisive: string;
  readonly isShown: boolean;
}

/** Bytes of a body beside a usual head. */
const ROOM = 11_000;
const START = Date.parse('2026-11-30T09:00:00Z');
const WINDOW_MS = 3_600_000;

/** What a rare error says, and the words by which it is known again. */
const DECISIVE: readonly [Rare, ...Rare[]] = [
  rare('ERROR', 'heap is full java.lang.OutOfMemoryError: Java heap space', 'OutOfMemoryError'),
  rare('ERROR', 'row lock lost: Deadlock found when trying to get lock', 'Deadlock found'),
  rare('ERROR', 'keystore expired, handshake aborted by gateway', 'handshake aborted'),
  rare('ERROR', 'disk quota exceeded on volume data', 'disk quota exceeded'),
  rare('ERROR', 'ERR 1040 Too many connections', 'Too many connections'),
  rare('ERROR', 'MISCONF Redis is configured to save snapshots', 'MISCONF'),
  rare('ERROR', '连接池耗尽，等待线程全部阻塞', '连接池耗尽'),
  rare('ERROR', '渠道证书过期，验签不通过', '证书过期'),
  rare('ERROR', 'Unknown column gift_id in field list', 'Unknown column'),
  rare('ERROR', 'config center pushed pool.max from 64 to 4', 'config center pushed'),
  rare('ERROR', 'x509: certificate has expired or is not yet valid', 'certificate has expired'),
  rare('ERROR', 'leader changed, partition 7 has no replica', 'leader changed'),
  rare(
    'ERROR',
    'call broke\njava.lang.IllegalStateException: shard map torn\n\tat a.B.c(B.java:7)\n\tat a.D.e(D.java:9)\nCaused by: java.net.BindException: Address already in use',
    'Address already in use',
  ),
  rare('WARN', 'pool is at its maximum, borrowers wait', 'borrowers wait'),
  rare('INFO', 'Out of memory: Killed process 2211 (java)', 'Killed process'),
];

interface Rare extends Said {
  readonly telling: string;
}

/** Plays the trial of this seed; the same seed gives the same lines. */
export function playTrial(seed: number, noiseLines: number): Trial {
  const dice = new Dice(seed);
  const noise = new Noise(dice);
  const { telling, ...said } = dice.pick(DECISIVE);
  const place = dice.below(noiseLines + 1);
  const writer = new RawLogWriter();
  const add = (line: number, textAt: (at: number) => string) => {
    const at = Math.floor((line / noiseLines) * WINDOW_MS);
    writer.add({ epochMs: START + at, text: textAt(at) });
  };
  for (let line = 0; line <= noiseLines; line += 1) {
    if (line === place) add(line, (at) => written(said, { at, format: noise.format, dice }));
    if (line < noiseLines) add(line, (at) => noise.line(at));
  }
  const shown = shownOf(writer);
  return { seed, format: noise.format, decisive: telling, isShown: shown.includes(telling) };
}

/** The lines of patterns and events that the model would be given. */
function shownOf(writer: RawLogWriter): string {
  const raw = writer.finish({ zoneAssumed: false, bytesReplaced: 0, newestMayBeMissing: false });
  const projection = logProjector.project(raw, {
    input: { topic: 'pay', query: '', lookback_minutes: 60 },
    window: null,
    redactor: createRedactor(),
    maxBodyBytes: ROOM,
  });
  if (projection.kind === 'malformed') throw new Error('malformed');
  const { patterns, events } = projection.body;
  return [...patterns.map(({ line }) => line), ...events].join('\n');
}

function rare(level: Said['level'], message: string, telling: string): Rare {
  return { level, message, telling };
}
