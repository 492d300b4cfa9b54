import { describe, expect, it } from 'vitest';
import { ToolCallIds } from '../../../functions/diagnosis/agent/tool-call-ids.ts';

describe('ToolCallIds', () => {
  it('numbers calls from one on and finds the provider id again', () => {
    const ids = new ToolCallIds();

    expect(ids.mint('tooluse_x')).toEqual({ kind: 'minted', toolCallId: 'call-1' });
    expect(ids.mint('tooluse_y')).toEqual({ kind: 'minted', toolCallId: 'call-2' });
    expect(ids.providerIdOf('call-1')).toBe('tooluse_x');
    expect(ids.providerIdOf('call-2')).toBe('tooluse_y');
  });

  it('refuses a provider id that came before', () => {
    const ids = new ToolCallIds();
    ids.mint('tooluse_x');

    expect(ids.mint('tooluse_x')).toEqual({ kind: 'refused', code: 'DUPLICATE_TOOL_CALL_ID' });
  });

  it.each(['', ' ', 'a b', 'a'.repeat(65), 'a/b', '调用'])(
    'refuses the provider id %j',
    (providerId) => {
      expect(new ToolCallIds().mint(providerId)).toEqual({
        kind: 'refused',
        code: 'MALFORMED_TOOL_CALL_ID',
      });
    },
  );

  it('knows no id that it did not mint', () => {
    expect(() => new ToolCallIds().providerIdOf('call-1')).toThrowError(RangeError);
  });
});
