import { expect, it } from 'vitest';
import { createRedactor } from '../../shared/redaction/redactor.ts';

it.each([
  { where: 'the question', options: { query: '<ip:999999999> 超时' } },
  { where: 'the turn before', options: { previousTurn: '{"conclusion":"<IP:999999999>"}' } },
])('a huge number in $where makes no mark that is none', ({ options }) => {
  const redactor = createRedactor(options);
  const shown = redactor.redact('connect 10.20.30.40 failed');

  expect(redactor.redact(shown)).toBe(shown);
  expect(redactor.resolveMarks(shown)).toEqual({
    kind: 'resolved',
    text: 'connect 10.20.30.40 failed',
  });
  expect(redactor.resolveMarks('<ip:999999999>')).toMatchObject({ kind: 'unknown_mark' });
});
