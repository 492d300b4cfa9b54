import { onTestFinished } from 'vitest';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { HandClock } from '../contract/contract-store.ts';

/** A store that ends with the test, and the clock that tells it what has expired. */
export function aMemoryStore(instant: string) {
  const clock = new HandClock(instant);
  const record = createSqliteRunStore({ file: ':memory:', clock });
  onTestFinished(() => record.close());
  return { record, clock };
}
