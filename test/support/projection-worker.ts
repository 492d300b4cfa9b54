import { parentPort, workerData } from 'node:worker_threads';
import { logProjector } from '../../functions/diagnosis/tools/query-logs/log-projector.ts';
import { createRedactor } from '../../shared/redaction/redactor.ts';

/** Projects the raw result it is given in a heap of its own, and says how many patterns are shown. */
const projection = logProjector.project(workerData as Uint8Array, {
  // what the test hands over
  input: { topic: 'pay', query: '', lookback_minutes: 60 },
  window: null,
  redactor: createRedactor(),
  maxBodyBytes: 11_000,
});
parentPort?.postMessage(projection.kind === 'malformed' ? -1 : projection.body.matched_count);
