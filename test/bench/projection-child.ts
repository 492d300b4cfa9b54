import { readFileSync } from 'node:fs';
import { logProjector } from '../../functions/diagnosis/tools/query-logs/log-projector.ts';
import { createRedactor } from '../../shared/redaction/redactor.ts';
import { cpuSeconds } from './cpu.ts';

/** Projects the raw results of two files in a process of its own; prints time and memory as JSON. */
const [small = '', large = ''] = process.argv.slice(2);
const [once, twice] = [readFileSync(small), readFileSync(large)];
project(once.subarray(0, 0));
const before = process.resourceUsage().maxRSS;
const seconds = cpuSeconds(() => project(once));
const extraKilobytes = process.resourceUsage().maxRSS - before;
const secondsOfTwice = cpuSeconds(() => project(twice));
process.stdout.write(JSON.stringify({ seconds, extraKilobytes, secondsOfTwice }));

function project(raw: Uint8Array): void {
  logProjector.project(raw, {
    input: { topic: 'pay', query: '', lookback_minutes: 60 },
    window: null,
    redactor: createRedactor(),
    maxBodyBytes: 11_000,
  });
}
