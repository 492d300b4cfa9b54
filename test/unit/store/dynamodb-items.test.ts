import { describe, expect, it } from 'vitest';
import { RunIdSchema, SessionIdSchema } from '../../../shared/contracts/identifiers.ts';
import { sha256Hex } from '../../../shared/kernel/canonical-json.ts';
import {
  fromInvocationItem,
  fromRunItem,
  fromStepItem,
  fromTextItem,
  toInvocationItem,
  toRunItem,
  toStepItem,
  toTextItem,
} from '../../../shared/store/dynamodb-items.ts';
import {
  anOpenInvocation,
  aRun,
  aStep,
  DURING,
  keyOf,
  pseudoRandomText,
} from '../../contract/run-builders.ts';
import { itemBytes } from '../../support/dynamodb-size.ts';

const STAMP = { expiresAt: 1_802_246_400, writeId: 'write-1' };
const KEY = { pk: 'RUN#r', sk: 'OUTCOME' };

describe('the run item', () => {
  it('comes back as the record it was made of', () => {
    const record = {
      ...aRun().record,
      finished_at: DURING,
      cancel_requested_at: DURING,
      seal_sha256: sha256Hex('record'),
    };

    const read = fromRunItem(toRunItem(record, 'write-1'));

    expect(read).toEqual(record);
  });

  it('stays under 1 KB with ids of full length and an inference profile', () => {
    const { record } = aRun({
      run_id: RunIdSchema.parse('r'.repeat(128)),
      session_id: SessionIdSchema.parse('s'.repeat(128)),
      finished_at: DURING,
      cancel_requested_at: DURING,
      seal_sha256: sha256Hex('record'),
    });
    const profile =
      'arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
    const identity = { ...record.identity, model_id: profile, code_version: 'c'.repeat(40) };

    const item = toRunItem({ ...record, identity }, record.fence);

    expect(itemBytes(item)).toBeLessThan(1_024);
  });

  it('expires in epoch seconds, as DynamoDB wants it', () => {
    const item = toRunItem(aRun({ expires_at: '2027-02-10T08:00:00.000Z' }).record, 'write-1');

    expect(item['expires_at']).toBe(Date.parse('2027-02-10T08:00:00Z') / 1000);
  });
});

describe('a stored text', () => {
  it.each([
    ['short', '{"query":"支付超时"}', 'string'],
    ['long', `{"query":"${'支付超时 '.repeat(200)}"}`, 'object'],
    ['long without any repetition', pseudoRandomText(2_000), 'object'],
  ])('%s comes back byte for byte', (_what, text, kind) => {
    const item = toTextItem(KEY, text, STAMP);

    expect(typeof item['text']).toBe(kind);
    expect(fromTextItem(item)).toBe(text);
  });

  it.each([
    ['damaged', new Uint8Array([1, 2, 3])],
    ['missing', undefined],
    ['of another kind', 7],
  ])('that is %s is refused', (_what, text) => {
    const item = { ...toTextItem(KEY, '', STAMP), text };

    expect(() => fromTextItem(item)).toThrow(
      expect.objectContaining({ code: 'RECORD_UNAVAILABLE' }),
    );
  });
});

describe('an item of a newer version', () => {
  const run = aRun();
  const invocation = toInvocationItem(anOpenInvocation(keyOf(run)), STAMP);
  const newer = { schema_version: 2, input: undefined, detail: undefined, text: undefined };
  it.each([
    ['run', () => fromRunItem({ ...toRunItem(run.record, 'w'), ...newer })],
    ['step', () => fromStepItem({ ...toStepItem(aStep(run, 1), 'f', STAMP), ...newer })],
    ['invocation', () => fromInvocationItem({ ...invocation, ...newer })],
    ['text', () => fromTextItem({ ...toTextItem(KEY, '', STAMP), ...newer })],
  ])('is refused for its version: %s', (_what, read) => {
    expect(read).toThrow(
      expect.objectContaining({
        code: 'RECORD_UNAVAILABLE',
        message: expect.stringContaining('schema version 2'),
      }),
    );
  });
});
