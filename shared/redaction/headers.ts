import type { Report } from './finding.ts';
import { looksRandom, looksTyped } from './randomness.ts';

/** Credentials of HTTP: `Authorization`, a scheme with its token anywhere, cookies. */
export function findHeaderCredentials(text: string, report: Report): void {
  findAuthorization(text, report);
  findSchemes(text, report);
  findCookies(text, report);
}

const TOKEN_CHARACTERS = '[^\\s"\'`,;<>\\])}\\\\，。；）]{4,8192}';
const AUTHORIZATION = new RegExp(
  `authorization(?:\\\\{0,15}["'])?\\]?\\s{0,4}(?:=>|[:=]|%3A)\\s{0,4}[\\[({]{0,2}(?:\\\\{0,15}["'])?(?:(?:basic|bearer|token|digest|negotiate|ntlm|apikey|api-key|key|oauth|[a-z][a-z0-9-]{2,32}(?=\\s\\S{16}))(?:\\s{1,4}|%20))?(?!aws4-|(?:basic|bearer|token|digest)\\b)(${TOKEN_CHARACTERS})`,
  'gi',
);

function findAuthorization(text: string, report: Report): void {
  if (!/authorization/i.test(text)) return;
  for (const match of text.matchAll(AUTHORIZATION)) {
    const value = match[1] ?? '';
    const end = match.index + match[0].length;
    if (looksRandom(value) || looksTyped(value) || value.length >= 16) {
      report({ start: end - value.length, end, kind: 'secret' });
    }
  }
}

const SCHEME =
  /(?<![\w-])(?:bearer|basic|apikey|negotiate)(?:\s{1,4}|%20|\+)([A-Za-z0-9+/=._~-]{8,8192})/gi;
const DIGEST_RESPONSE = /\b(?:response|cnonce)=\\{0,15}"?([0-9a-f]{32})/gi;

function findSchemes(text: string, report: Report): void {
  for (const match of text.matchAll(SCHEME)) reportIfRandom(match, report);
  if (!/digest/i.test(text)) return;
  for (const match of text.matchAll(DIGEST_RESPONSE)) reportIfRandom(match, report);
}

function reportIfRandom(match: RegExpExecArray, report: Report): void {
  const value = match[1] ?? '';
  const end = match.index + match[0].length;
  if (looksRandom(value) || /[A-Z].*=$/.test(value))
    report({ start: end - value.length, end, kind: 'secret' });
}

const COOKIE_HEADER =
  /cookies?\d?(?:\\{0,15}["'])?\]?\s{0,4}(?:=>|[:=])\s{0,4}[[({]{0,2}(?:\\{0,15}["'])?(?=[\w!#$%*+^`|~.-]{1,128}=)/gi;
const COOKIE = /[\s;,&]{0,8}([\w!#$%*+^`|~.-]{1,128})=([^;,\s"'\\\]})]{0,8192})/y;
const ATTRIBUTE =
  /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|version|partitioned)$/i;

function findCookies(text: string, report: Report): void {
  if (!/cookie/i.test(text)) return;
  let from = 0;
  for (const header of text.matchAll(COOKIE_HEADER)) {
    const start = header.index + header[0].length;
    if (start >= from) from = findPairs(text, start, report);
  }
}

function findPairs(text: string, start: number, report: Report): number {
  let from = start;
  COOKIE.lastIndex = start;
  for (let pair = COOKIE.exec(text); pair !== null; pair = COOKIE.exec(text)) {
    const [, name = '', value = ''] = pair;
    from = COOKIE.lastIndex;
    if (ATTRIBUTE.test(name) || value.length < 4) continue;
    report({ start: from - value.length, end: from, kind: 'secret' });
  }
  return from;
}
