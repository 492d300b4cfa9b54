import { describe, expect, it } from 'vitest';
import { SettledChecks } from '../../../functions/diagnosis/run/progress-snapshot.ts';
import { toToolCallId } from '../../../shared/contracts/identifiers.ts';
import { ProgressSnapshotSchema } from '../../../shared/contracts/progress-snapshot.ts';

const FIRST = toToolCallId(1);
const SECOND = toToolCallId(2);

describe('SettledChecks', () => {
  it('has nothing to publish before a check was settled', () => {
    const checks = new SettledChecks();
    checks.evaluate(FIRST, 'GAINED');

    expect(checks.snapshot()).toBeNull();
  });

  it('lists the checks in the order they were settled, with their evaluations', () => {
    const checks = new SettledChecks();
    checks.add(aCheck(FIRST));
    checks.add(aCheck(SECOND));
    checks.evaluate(SECOND, 'NO_GAIN');

    const snapshot = checks.snapshot();

    expect(snapshot).toEqual({
      checks: [
        { ...aCheck(FIRST), evaluation: null },
        { ...aCheck(SECOND), evaluation: 'NO_GAIN' },
      ],
    });
    expect(ProgressSnapshotSchema.parse(snapshot)).toEqual(snapshot);
  });

  it('leaves a snapshot as it was when more is settled', () => {
    const checks = new SettledChecks();
    checks.add(aCheck(FIRST));
    const before = checks.snapshot();
    checks.add(aCheck(SECOND));
    checks.evaluate(FIRST, 'GAINED');

    expect(before).toEqual({ checks: [{ ...aCheck(FIRST), evaluation: null }] });
  });
});

function aCheck(toolCallId: typeof FIRST) {
  return {
    tool_call_id: toolCallId,
    tool_name: 'query_logs' as const,
    scope: { request: { topic: 'orders' }, window: null, notes: [] },
    evidence_status: 'EVIDENCE_FOUND' as const,
    facts: ['ERROR Lock wait timeout exceeded'],
  };
}
