import { expect, it } from 'vitest';
import { mapStrings } from '../../../functions/diagnosis/evidence/evidence-tool.ts';

it('changes every string of a value and nothing else', () => {
  const value = { a: 'x', b: ['y', 1, null], c: { d: true, e: 'z' } };

  const changed = mapStrings(value, (text) => `${text}!`);

  expect(changed).toEqual({ a: 'x!', b: ['y!', 1, null], c: { d: true, e: 'z!' } });
  expect(value.a).toBe('x');
});
