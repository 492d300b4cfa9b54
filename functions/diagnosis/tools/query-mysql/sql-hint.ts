import { isAllowedHint, MAX_HINTED_TIME_MS } from './sql-allow-list.ts';
import { refuseSql } from './sql-refusal.ts';

const HINT = /\s*([A-Za-z_]{1,40})[ \t]{0,8}\(([A-Za-z0-9_@,.` \t]{0,200})\)/y;

/**
 * Reads the body of an optimizer hint comment.
 *
 * @throws SqlRefusal for hints that set variables, and for time bounds longer than the longest timeout.
 */
export function readHint(body: string): void {
  const text = body.trimEnd();
  for (let position = 0; position < text.length; position = HINT.lastIndex) {
    HINT.lastIndex = position;
    const found = HINT.exec(text);
    const [, name = '', value = ''] = found ?? refuseSql('HINT');
    if (!isAllowedHint(name.toUpperCase())) refuseSql('HINT');
    if (name.toUpperCase() === 'MAX_EXECUTION_TIME') refuseLooseBound(value);
  }
}

function refuseLooseBound(value: string): void {
  const milliseconds = /^[0-9]{1,9}$/.test(value.trim()) ? Number(value) : 0;
  // Zero lifts the bound that the session has.
  if (milliseconds < 1 || milliseconds > MAX_HINTED_TIME_MS) refuseSql('HINT');
}
