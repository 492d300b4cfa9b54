import { type Assignment, readAssignment, wholeEnd } from './assignments.ts';
import type { Report } from './finding.ts';
import { isMarkAt } from './marks.ts';
import { looksRandom, looksTyped } from './randomness.ts';
import { type KeyStrength, keyStrength } from './secret-keys.ts';

/** Values behind keys that promise a credential: `password=…`, `"X-Api-Key": "…"`, `密码为…`. */
export function findKeyedSecrets(text: string, report: Report): void {
  LATIN_KEY.lastIndex = 0;
  for (let hit = LATIN_KEY.exec(text); hit !== null; hit = LATIN_KEY.exec(text)) {
    const key = wholeKey(text, hit.index, LATIN_KEY.lastIndex);
    LATIN_KEY.lastIndex = key.end;
    if (isMarkAt(text, key.start - 1)) continue;
    const name = text.slice(key.start, key.end);
    const strength = keyStrength(name) ?? keyStrength(`${wordBefore(text, key.start)} ${name}`);
    if (strength === undefined) continue;
    LATIN_KEY.lastIndex = Math.max(key.end, reportValue(text, key, strength, report));
  }
  if (HAN.test(text)) findChineseKeys(text, report);
}

const LATIN_KEY =
  /pass(?: word(?=\s?[=:]))?|pwd|secret|token|cred|key|auth|webhook|remember|jwt|assertion|bearer|hmac|sig(?:n|$|[^a-z])|sess|captcha|[cx]srf|cv[vc]|code|private.mac|cookie|ticket|salt|digest|\bsid|sid\b|\b(?:sk|ak|pat|pin|otp|cv[vc])\b|[_-](?:sk|ak|pat|pin|otp)\b/gi;
const KEY_CHARACTER = /[\w.$-]/;
/** Longest key that is read as one, in characters on each side of the word that gives it away. */
const MAX_KEY_SIDE = 80;

function wholeKey(text: string, hitStart: number, hitEnd: number): { start: number; end: number } {
  let start = hitStart;
  let end = hitEnd;
  while (start > 0 && hitStart - start < MAX_KEY_SIDE && KEY_CHARACTER.test(text[start - 1] ?? ''))
    start -= 1;
  while (end - hitEnd < MAX_KEY_SIDE && KEY_CHARACTER.test(text[end] ?? '')) end += 1;
  while (end > hitStart + 1 && !KEY_CHARACTER.test(text[end - 1] ?? '')) end -= 1;
  return { start: Math.min(start + escapeLength(text, start), hitStart), end };
}

// `secret key: …`, `verification code is …`: the key is two words.
function wordBefore(text: string, start: number): string {
  return /([A-Za-z]{2,16})[ ]$/.exec(text.slice(Math.max(0, start - 18), start))?.[1] ?? '';
}

// `%26password` and `\npassword` begin behind the escape, not with its last letters.
function escapeLength(text: string, start: number): number {
  const before = text[start - 1];
  const own = text.slice(start, start + 8);
  if (before === '%') return /^(?:25)*[0-9A-Fa-f]{2}/.exec(own)?.[0].length ?? 0;
  if (before === '\\') return /^(?:u[0-9A-Fa-f]{4}|[nrt])/.exec(own)?.[0].length ?? 0;
  return 0;
}

/** Reports what the key is assigned, if it is a secret, and says where to look on. */
function reportValue(
  text: string,
  key: { start: number; end: number },
  strength: KeyStrength,
  report: Report,
): number {
  const assignment = readAssignment(text, key.start, key.end);
  if (assignment === undefined) return key.end;
  const { start, end } = assignment;
  const after = text.slice(end, end + 24);
  if (!isSecretValue(text.slice(start, end), strength, assignment, after)) return key.end;
  const whole = wholeEnd(text, assignment);
  report({ start, end: whole, kind: 'secret' });
  return whole;
}

const PLACEHOLDER =
  /^(?:[*x•.#-]+|\[[A-Z_ ]+\]|protected|removed|sanitized|#\{.*|\{\}?|\$[A-Z][A-Z0-9_]*|%[A-Z_]+%|@[\w.]+@|<[^<>]*>?|\$\{.*|\{\{.*|\$\(.*|%[sdv]|\?|null|nil|none|undefined|true|false|yes|no|on|off|empty|n\/a|redacted|masked|hidden|filtered|secret|required|optional|string|password)$/i;
const PROSE =
  /^(?:incorrect|invalid|expired?|required|wrong|missing|mismatch|not|must|is|was|are|cannot|can|too|does|should|failed|failure|failing|success|successful|changed|reset|ok|denied|unknown|unset|set|given|provided|authentication|the|a|an|of|for|in|to|and|or|by|with|from|error|rejected|revoked|needed|using|your|my|this|that|please|forgotten|accepted|found|valid)$/i;

// `PWD=/var/app`, `private_key: /etc/tls/key.pem`: where something is, not what it is.
const PATH = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|file:|classpath:)[\w.\\/: -]*$/;

function isSecretValue(
  value: string,
  strength: KeyStrength,
  how: Assignment,
  after: string,
): boolean {
  if (standsForNothing(value, strength)) return false;
  if (looksRandom(value)) return true;
  if (strength === 'hint') return false;
  if (strength === 'code') return CODE.test(value);
  if (how.binding === 'blank') return looksTyped(value);
  if (PATH.test(value) || isProse(value, how, after)) return false;
  return strength === 'password' ? isPasswordValue(value, how) : isTokenValue(value, how);
}

function standsForNothing(value: string, strength: KeyStrength): boolean {
  if (!/[0-9A-Za-z]/.test(value) || PLACEHOLDER.test(value) || SCHEME.test(value)) return true;
  return strength !== 'password' && PRINTED_OBJECT.test(value);
}

const SCHEME = /^\[?(?:Basic|Bearer|Token|Digest)$/i;
const CODE = /^(?=[A-Za-z-]{0,7}[0-9])[0-9A-Za-z-]{3,12}$/;

function isProse(value: string, how: Assignment, after: string): boolean {
  if (how.binding !== 'colon') return false;
  if (how.quoted) return /^\s.*\s$/.test(value);
  return PROSE.test(value) || (/^[a-z]+$/.test(value) && /^ [a-z]+(?:[ .,;]|$)/.test(after));
}

function isPasswordValue(value: string, how: Assignment): boolean {
  return how.binding === 'firm' || how.quoted || !/^[0-9]{1,3}$/.test(value);
}

function isTokenValue(value: string, how: Assignment): boolean {
  if (how.quoted) return value.length >= 6 && !/^[A-Za-z]{1,8}$/.test(value) && !/\s/.test(value);
  return value.length >= 6 && !NO_TOKEN.test(value);
}

// `Token{a64f992 …}`, `Token(id=7)`: an object as it prints itself.
const PRINTED_OBJECT = /^[A-Z][a-z]+[A-Za-z]*[{([@]/;
// Counts, words and constants behind a bare `token=`.
const NO_TOKEN = /^(?:[0-9.,]{1,9}|[a-z]{1,16}|[A-Z_]+)$/;

const HAN = /[\u4e00-\u9fff]/;
const CHINESE_KEY =
  /(?:密码|口令|密钥|私钥|秘钥|令牌|凭证|凭据|授权码|通行码)(?:[（(][^（()）\n]{0,16}[)）])?["'”]?\s{0,4}([=:：＝】]|为[:：]?|是[:：]?|->)?\s{0,4}[["'“「【]?([\x21\x23-\x26\x28-\x3b\x3d-\x5a\x5e-\x7e]{4,4096})/g;
const CHINESE_CODE =
  /(?:验证码|校验码|动态码|动态口令|动态密码|短信码|取件码|激活码)(?:[（(][^（()）\n]{0,16}[)）])?\s{0,4}(?:[=:：＝]|为[:：]?|是[:：]?)?\s{0,4}["'“「【]?((?=[A-Za-z]{0,7}[0-9])[0-9A-Za-z]{4,8})(?![0-9A-Za-z])/g;
// `密码aes256加密`: an algorithm, not a value.
const ALGORITHM = /^(?:aes|sha|md5|rsa|des|sm[234]|bcrypt|base64|hmac|pbkdf2|utf)/i;

function findChineseKeys(text: string, report: Report): void {
  for (const match of text.matchAll(CHINESE_KEY)) {
    const [whole, separator, run = ''] = match;
    const start = match.index + whole.length - run.length;
    const value = run.slice(0, trimmedLength(run));
    const isValue = separator === undefined ? isPlainlySecret(value) : !PLACEHOLDER.test(value);
    if (isValue) report({ start, end: start + value.length, kind: 'secret' });
  }
  for (const match of text.matchAll(CHINESE_CODE)) {
    const end = match.index + match[0].length;
    report({ start: end - (match[1] ?? '').length, end, kind: 'secret' });
  }
}

function isPlainlySecret(value: string): boolean {
  if (ALGORITHM.test(value)) return false;
  return looksTyped(value) || looksRandom(value) || /^[0-9]{6}$/.test(value);
}

function trimmedLength(value: string): number {
  const end = value.search(/[,;&](?=[\w"'{[]*[=:]|$)|[)\]}>]+$|["'`<]/);
  return end > 0 ? end : value.length;
}
