import { describe, expect, it } from 'vitest';
import { type AskedQuestion, CallLedger } from '../../../functions/diagnosis/run/call-ledger.ts';
import { toToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { ErrorCode } from '../../../shared/contracts/observation.ts';

const FIRST = toToolCallId(1);
const SECOND = toToolCallId(2);

describe('CallLedger', () => {
  it('knows no equivalent before anything was opened', () => {
    const ledger = new CallLedger();

    expect(ledger.equivalentOf(aQuestion())).toBeNull();
  });

  it('names the call that asked the same', () => {
    const ledger = new CallLedger();
    ledger.open(FIRST, aQuestion());

    expect(ledger.equivalentOf(aQuestion())).toBe(FIRST);
  });

  it.each<[string, Partial<AskedQuestion>]>([
    ['another key', { key: 'other' }],
    ['another tool', { toolName: 'query_mysql' }],
  ])('takes %s for another question', (_case, difference) => {
    const ledger = new CallLedger();
    ledger.open(FIRST, aQuestion());

    expect(ledger.equivalentOf(aQuestion(difference))).toBeNull();
  });

  it.each([
    [100, 110, true],
    [100, 111, true],
    [100, 112, false],
    [100, 90, true],
    [100, 89, false],
    [1, 2, false],
  ])('windows of %i and %i minutes ask the same: %s', (before, after, isSame) => {
    const ledger = new CallLedger();
    ledger.open(FIRST, aQuestion({ lookbackMinutes: before }));

    const equivalent = ledger.equivalentOf(aQuestion({ lookbackMinutes: after }));

    expect(equivalent).toBe(isSame ? FIRST : null);
  });

  it.each<ErrorCode>(['TOOL_TIMEOUT', 'SOURCE_UNAVAILABLE', 'SOURCE_THROTTLED'])(
    'lets the same be asked once more after %s',
    (code) => {
      const ledger = new CallLedger();
      ledger.open(FIRST, aQuestion());
      ledger.recordError(FIRST, code);

      expect(ledger.equivalentOf(aQuestion())).toBeNull();
    },
  );

  it.each<ErrorCode>(['SOURCE_DENIED', 'SOURCE_FAILED', 'SCAN_LIMIT', 'RAW_MALFORMED'])(
    'does not let the same be asked again after %s',
    (code) => {
      const ledger = new CallLedger();
      ledger.open(FIRST, aQuestion());
      ledger.recordError(FIRST, code);

      expect(ledger.equivalentOf(aQuestion())).toBe(FIRST);
    },
  );

  it('lets the same be asked no third time', () => {
    const ledger = new CallLedger();
    ledger.open(FIRST, aQuestion());
    ledger.recordError(FIRST, 'TOOL_TIMEOUT');
    ledger.open(SECOND, aQuestion());
    ledger.recordError(SECOND, 'TOOL_TIMEOUT');

    expect(ledger.equivalentOf(aQuestion())).toBe(SECOND);
  });

  it('notes nothing for a call it does not hold', () => {
    const ledger = new CallLedger();
    ledger.open(FIRST, aQuestion());

    ledger.recordError(SECOND, 'TOOL_TIMEOUT');

    expect(ledger.equivalentOf(aQuestion())).toBe(FIRST);
  });
});

function aQuestion(overrides: Partial<AskedQuestion> = {}): AskedQuestion {
  return { toolName: 'query_logs', key: 'topic filter', lookbackMinutes: null, ...overrides };
}
