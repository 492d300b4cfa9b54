import { describe } from 'vitest';
import { describeRunStore } from './run-store.contract.ts';
import { openSqlite } from './sqlite-opener.ts';

describe('the run store on SQLite', () => describeRunStore(openSqlite));
