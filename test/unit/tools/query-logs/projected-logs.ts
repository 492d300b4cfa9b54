import { logProjector } from '../../../../functions/diagnosis/tools/query-logs/log-projector.ts';
import { RawLogWriter } from '../../../../functions/diagnosis/tools/query-logs/log-raw.ts';
import { createRedactor } from '../../../../shared/redaction/redactor.ts';

const START = Date.parse('2026-11-30T09:00:00Z');

/** A raw result with one entry a second, unless times are given. */
export function rawLogs(
  texts: readonly string[],
  head: {
    readonly zoneAssumed?: boolean;
    readonly bytesReplaced?: number;
    readonly seconds?: readonly number[];
  } = {},
): Uint8Array {
  const writer = new RawLogWriter();
  texts.forEach((text, at) => {
    writer.add({ epochMs: START + (head.seconds?.[at] ?? at) * 1_000, text });
  });
  return writer.finish({
    zoneAssumed: head.zoneAssumed ?? false,
    bytesReplaced: head.bytesReplaced ?? 0,
    newestMayBeMissing: false,
  });
}

/** Bytes of a body beside a usual head. */
export const ROOM = 11_000;

export function project(raw: Uint8Array, maxBodyBytes = ROOM) {
  const projection = logProjector.project(raw, {
    input: { topic: 'pay', query: '', lookback_minutes: 60 },
    window: { from: '2026-11-30T09:00:00.000Z', to: '2026-11-30T10:00:00.000Z' },
    redactor: createRedactor(),
    maxBodyBytes,
  });
  if (projection.kind === 'malformed') throw new Error('malformed');
  return projection;
}

/** Words without digits, so that each is a pattern of its own. */
export function word(at: number): string {
  const letter = (value: number) => 'abcdefghijklmnopqrst'.charAt(value % 20);
  return `${letter(at)}${letter(at / 20)}zz`;
}
