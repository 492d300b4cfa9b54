import type { Report } from './finding.ts';
import { looksRandom } from './randomness.ts';

/** Tokens that give themselves away by their own shape, whatever stands before them. */
export function findTokens(text: string, report: Report): void {
  for (const { gate, pattern } of SHAPES) {
    if (!gate.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const body = match[1] ?? match[0];
      const start = match.index + match[0].length - body.length;
      report({ start, end: start + body.length, kind: 'secret' });
    }
  }
  findPrefixedTokens(text, report);
}

interface Shape {
  readonly gate: RegExp;
  readonly pattern: RegExp;
}

// Published prefixes of the vendors' own documentation; lengths are lower bounds, since they grow.
const SHAPES: readonly Shape[] = [
  // AWS: access key ids, Bedrock keys, session tokens.
  {
    gate: /A[KSBCNGIR][A-Z]A/,
    pattern:
      /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|ANPA|AGPA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  },
  {
    gate: /ABSK|bedrock-api-key-/,
    pattern: /(?<![A-Za-z0-9])(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{20,}/g,
  },
  { gate: /IQoJ|FwoG|FQoG/, pattern: /(?<![A-Za-z0-9])(?:IQoJ|FwoG|FQoG)[A-Za-z0-9+/=%_-]{60,}/g },
  // Chinese clouds: Aliyun, Tencent, Volcengine.
  {
    gate: /LTAI|AKID|AKLT/,
    pattern: /(?<![A-Za-z0-9])(?:LTAI|AKID|AKLT)[A-Za-z0-9]{12,60}(?![A-Za-z0-9])/g,
  },
  { gate: /\bSEC[0-9a-f]/, pattern: /(?<!\w)SEC[0-9a-f]{60,70}(?!\w)/g },
  // JSON web tokens, whole, wrapped over two lines, cut short, or in base64 once more.
  {
    gate: /eyJ/,
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[\w-]{8,}(?:\.[\w-]{4,})?\.?\r?\n[\w-]{4,}(?:\.[\w-]{4,}){1,2}(?![\w.])/g,
  },
  {
    gate: /eyJ/,
    pattern: /(?<![A-Za-z0-9])eyJ[\w-]{8,}(?:\.|%2E)[\w-]{4,}(?:(?:\.|%2E)[\w-]*){0,3}/g,
  },
  { gate: /eyJ/, pattern: /(?<![A-Za-z0-9])eyJ(?:hbGci|hdXRo|0eXAi|raWQi|lbmMi|4NXQi)[\w=-]{6,}/g },
  { gate: /ZXlK/, pattern: /(?<![A-Za-z0-9])ZXlK[A-Za-z0-9+/=_-]{20,}/g },
  // Slack, Discord, Teams, DingTalk, Feishu and WeCom web hooks carry their secret in the path.
  {
    gate: /hooks\.slack\.com/,
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/-]{20,})/g,
  },
  { gate: /\/webhooks?\//i, pattern: /\/webhooks?\/([\w/@-]{20,})/gi },
  { gate: /\/hook\//, pattern: /\/bot\/v2\/hook\/([\w-]{20,})/g },
  {
    gate: /\bx(?:ox|app)/,
    pattern: /(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[a-z])?-|xapp-)[A-Za-z0-9-]{10,}/g,
  },
  {
    gate: /AIza|ya29|GOCSPX/,
    pattern: /(?<![A-Za-z0-9])(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g,
  },
  { gate: /SG\./, pattern: /(?<![\w.])SG\.[\w-]{16,}\.[\w-]{16,}/g },
  { gate: /:AA/, pattern: /(?<![0-9])[0-9]{8,10}:AA[\w-]{32,34}(?![\w-])/g },
  {
    gate: /dapi|key-|AC[0-9a-f]|SK[0-9a-f]/,
    pattern: /(?<![A-Za-z0-9])(?:dapi|key-|AC|SK)[0-9a-f]{32}(?:-[0-9])?(?![0-9A-Za-z])/g,
  },
  { gate: /-us[0-9]/, pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}(?!\w)/g },
  {
    gate: /hv[sbr]\.|atlasv1|dt0c01/,
    pattern:
      /(?<![\w.])(?:hv[sbr]\.[\w-]{20,}|[A-Za-z0-9]{10,20}\.atlasv1\.[\w-]{40,}|dt0c01\.[A-Z0-9.]{40,})/g,
  },
  {
    gate: /AGE-SECRET|PMAK|NRAK|NRJS|ATATT|ATCTT|ATBB/,
    pattern:
      /(?<![A-Za-z0-9])(?:AGE-SECRET-KEY-1[A-Z0-9]{50,}|PMAK-[0-9a-f-]{50,}|NRAK-[A-Z0-9]{20,}|NRJS-[0-9a-f]{15,}|AT[A-Z]TT?[\w=.-]{20,})/g,
  },
  {
    gate: /APA91b|amzn\.mws|EAA/,
    pattern:
      /(?<![A-Za-z0-9])(?:[\w-]{5,20}:APA91b[\w-]{100,}|amzn\.mws\.[0-9a-f-]{36}|EAA[A-Za-z0-9]{50,})/g,
  },
  // Stored password hashes.
  {
    gate: /\$(?:apr1|2[abxy]|[1568y]|argon2|P|H|pbkdf2|scrypt|y)/,
    pattern:
      /(?<![\w$])\$(?:apr1|1|5|6|8|9|y|2[abxy]?|P|H|sha1|md5|argon2(?:id|i|d)|scrypt|pbkdf2(?:-sha(?:1|256|512))?)\$[\w./$+,=-]{13,}/g,
  },
  {
    gate: /\{S?(?:SHA|MD5|CRYPT)/i,
    pattern: /\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT)\}[A-Za-z0-9+/=$.]{13,}/gi,
  },
  {
    gate: /pbkdf2_|bcrypt\$|argon2\$/,
    pattern: /(?<!\w)(?:pbkdf2_sha(?:1|256|512)|bcrypt(?:_sha256)?|argon2)\$[\w./$+,=-]{20,}/g,
  },
  { gate: /\*[0-9A-F]{40}/, pattern: /(?<![\w*])\*[0-9A-F]{40}(?![0-9A-Fa-f])/g },
  { gate: /\$A\$00/, pattern: /\$A\$00[0-9]\$[^\s'"]{20,}/g },
];

const PREFIXED =
  /(?<![A-Za-z0-9_-])([a-z][a-z0-9]{1,9})(?:[_-][a-z0-9]{2,12}){0,3}?[_-]{1,2}([A-Za-z0-9][\w/+-]{15,}={0,2})/g;
const KNOWN_PREFIX =
  /^(?:gh[a-z]|github|gl[a-z]{1,6}|sk|rk|pk|whsec|hf|npm|glsa|glc|dckr|shp[a-z]{2}|pypi|do[opr]|figd|lin|ntn|secret|rubygems|pul|phc|phx|xai|gsk|r8|pplx|nvapi|sq0[a-z]{3}|xkeysib|xsmtpsib|tfp|sntrys|sntryu|dp|ops|key|live|test|pat|api|tok|token|bearer|eyj)$/;

// Vendors that came later follow the same habit: a short word, a bar, a long random body.
function findPrefixedTokens(text: string, report: Report): void {
  if (!/[a-z0-9][_-][A-Za-z0-9_-]{16}/.test(text)) return;
  for (const match of text.matchAll(PREFIXED)) {
    const [whole, prefix, body] = match;
    if (isTokenBody(prefix ?? '', body ?? '')) {
      report({ start: match.index, end: match.index + whole.length, kind: 'secret' });
    }
  }
}

const LONG_MIX = /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=[^0-9]*[0-9])[A-Za-z0-9]{24,}$/;

function isTokenBody(prefix: string, body: string): boolean {
  const mixed = /[A-Z]/.test(body) && /[a-z]/.test(body) && /[0-9]/.test(body);
  if (KNOWN_PREFIX.test(prefix)) return looksRandom(body) && (mixed || /[0-9a-f]{24}/.test(body));
  return body.split(/[_-]/).some((piece) => LONG_MIX.test(piece) && looksRandom(piece));
}
