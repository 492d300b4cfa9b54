import type { Report } from './finding.ts';
import { looksRandom } from './randomness.ts';

/** Passwords and keys in URLs: user information, logins of drivers, signatures of a query. */
export function findUrlCredentials(text: string, report: Report): void {
  if (text.includes('://') && text.includes('@')) findUserInformation(text, report);
  if (text.includes('@')) findDriverLogins(text, report);
  if (text.includes('=')) findQueryKeys(text, report);
}

const SCHEME = /([a-z][a-z0-9+.-]{1,40}):\/\//gi;
const ENDS_AUTHORITY = /[\s"'`<>\\，。；）]/;
/** Longest user information and host that is looked at behind a scheme, in characters. */
const MAX_AUTHORITY = 1_024;

function findUserInformation(text: string, report: Report): void {
  for (const match of text.matchAll(SCHEME)) {
    const start = match.index + match[0].length;
    const window = text.slice(start, start + MAX_AUTHORITY);
    const stop = window.search(ENDS_AUTHORITY);
    const authority = stop === -1 ? window : window.slice(0, stop);
    const length = userInformationLength(authority);
    if (length > 0)
      reportUserInformation(match[1] ?? '', authority.slice(0, length), start, report);
  }
}

// The last `@` before the path. A password may hold `/`, `?` or `#`: then the text before the first of
// them has a colon that no port follows.
function userInformationLength(authority: string): number {
  const pathAt = authority.search(/[/?#]/);
  const plain = pathAt === -1 ? authority : authority.slice(0, pathAt);
  const at = plain.lastIndexOf('@');
  if (at !== -1 || pathAt === -1) return at;
  const hasPasswordBegun = /:(?![0-9]{1,5}$)(?!$)/.test(plain.replace(/^\[[^\]]*\]/, ''));
  if (!hasPasswordBegun) return -1;
  return authority.search(BEFORE_HOST);
}

const BEFORE_HOST = /@(?=[\w.[-]{1,255}(?:[:/?,]|$))/;

function reportUserInformation(scheme: string, user: string, start: number, report: Report): void {
  const colon = user.indexOf(':');
  if (colon !== -1) {
    report({ start: start + colon + 1, end: start + user.length, kind: 'secret' });
    if (looksRandom(user.slice(0, colon))) report({ start, end: start + colon, kind: 'secret' });
  } else if (/^(?:redis|valkey)/i.test(scheme) || looksRandom(user)) {
    report({ start, end: start + user.length, kind: 'secret' });
  }
}

// Go's MySQL driver: `user:password@tcp(host:3306)/db`.
const GO_LOGIN = /(?<![\w.:/@-])[\w.-]{1,64}:([^\s"'`@]{1,128})@(?:tcp|unix)\(/g;
const ORACLE_LOGIN =
  /(?:\bthin:|\boci8?:|\bsqlplus\s(?:-\w\s)?|\bexpdp\s|\bimpdp\s|\bsqlldr\s)"?[\w$]{1,64}\/("[^"\n]{1,128}"|[^\s@"]{1,128})@/gi;

function findDriverLogins(text: string, report: Report): void {
  for (const pattern of [ORACLE_LOGIN, GO_LOGIN]) {
    for (const match of text.matchAll(pattern)) {
      const password = match[1] ?? '';
      const start = match.index + match[0].lastIndexOf(`${password}@`);
      report({ start, end: start + password.length, kind: 'secret' });
    }
  }
}

// Query keys that are ordinary words elsewhere and carry a credential in a URL.
const QUERY_KEY =
  /[?&](?:amp;)?(?:key|sig|sign|signature|q-signature|q-ak|x-goog-signature|x-goog-credential|x-amz-credential|x-amz-signature|code|state|nonce|ticket|st|hmac|hash|policy|auth|sk|ak|googleaccessid|ossaccesskeyid)=([^&\s"'`<>\\，。；)]{6,4096})/gi;

function findQueryKeys(text: string, report: Report): void {
  if (!/[?&]/.test(text)) return;
  for (const match of text.matchAll(QUERY_KEY)) {
    const value = match[1] ?? '';
    if (!looksRandom(value)) continue;
    const end = match.index + match[0].length;
    report({ start: end - value.length, end, kind: 'secret' });
  }
}
