/**
 * How much a key says about its value: `password` takes nearly anything, `token` what is no plain word,
 * `code` a few digits, `hint` only what looks random.
 */
export type KeyStrength = 'password' | 'token' | 'code' | 'hint';

/** What a key such as `spring.datasource.password` or `X-Api-Key` promises; undefined for ordinary keys. */
export function keyStrength(key: string): KeyStrength | undefined {
  const segments = key.split('.');
  const last = segments.at(-1) ?? '';
  if (segments.length > 1 && isClassName(last)) return undefined;
  const words = wordsOf(key);
  const found = lastSecretWord(words);
  if (found === undefined) return undefined;
  const trailing = words.slice(found.index + 1);
  if (trailing.some((word) => DESCRIBES.has(word))) return idStrength(words);
  return segments.length > 1 && lastSecretWord(wordsOf(last)) === undefined
    ? 'hint'
    : found.strength;
}

/** Parts of a key at case changes and separators, in lower case: `dbPassWord2` gives db, pass, word2. */
export function wordsOf(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

// A key about a password is not the password: these words behind the secret one say so.
const DESCRIBES = new Set(
  `id ids policy policies encoder decoder type types name names length len count counts size min max
  expire expires expired expiry expiration expiring ttl url uri path file dir field column param parameter version
  algorithm alg algo ref reference status state error errors exception err reset changed change at time timeout date
  hint prompt rule rules enabled enable disabled required attempt attempts retry retries filter factory provider
  service services manager limit limiter rate bucket usage used position validator validation valid invalid handler
  interceptor store storage cache generator resolver converter parser client server endpoint controller repository
  config configuration properties class method scheme mode format prefix suffix header index rotation rotated
  rotate age days hours minutes seconds sec ms lifetime in interval duration strength level source kind module
  plugin callback request response requests responses issuer audience scope scopes realm mismatch failed failure
  success missing empty not found info meta metadata label labels`.split(/\s+/),
);

const PASSWORD_WORD = /passw(?:or)?d|passwrd|passphrase|^pwd|pwd$|^passcode$|^passin$|^passout$/;
const PASS_SUFFIX = /^pass[0-9]{0,4}$|pass$/;
const NOT_A_PASS = /^(?:by|com|encom|tres|sur|over|under|im)pass$/;
const TOKEN_WORD =
  /^(?:remember me|secrets?|token|credentials?|apikey|authorization|webhook)[0-9]{0,2}$|(?:secret|token|apikey|secretkey|privatekey|accesskey|authkey|signkey|signingkey|masterauth|encryptkey)[0-9]{0,2}$/;
const HINT_WORD =
  /^(?:private mac|auth|sid|session|sessionid|sess|sign|sig|signature|sk|ak|pat|salt|digest|cookie|ticket|hmac|jwt|assertion|cred|creds|bearer|csrf|xsrf)$|sessid$|sessionid$|_auth$/;
const CODE_WORD =
  /^(?:pin|otp|totp|cvv2?|cvc2?|captcha|smscode|verifycode|authcode|checkcode|(?:sms|verify|verification|auth|dynamic|activation|login) code)$/;
const KEY_QUALIFIER =
  /^(?:api|access|secret|private|priv|encrypt|encrypted|encryption|encoding|sign|signing|signature|master|auth|account|shared|aes|des|rsa|dsa|ec|ecdsa|hmac|hash|crypto|cipher|ssh|deploy|client|webhook|license|subscription|storage|jwt|jws|jwk|pem|tls|ssl|pfx|mch|pay|merchant|v[0-9])$/;

function lastSecretWord(
  words: readonly string[],
): { index: number; strength: KeyStrength } | undefined {
  for (let index = words.length - 1; index >= 0; index -= 1) {
    const strength = wordStrength(words, index);
    if (strength !== undefined) return { index, strength };
  }
  return undefined;
}

function wordStrength(words: readonly string[], index: number): KeyStrength | undefined {
  const word = words[index] ?? '';
  const pair = `${words[index - 1] ?? ''} ${word}`;
  if (isPasswordWord(word) || pair === 'pass word') return 'password';
  if (/^keys?[0-9]{0,2}$/.test(word)) return keyWordStrength(words.slice(0, index));
  return MEANINGS.find(({ means }) => means.test(word) || means.test(pair))?.strength;
}

function isPasswordWord(word: string): boolean {
  return PASSWORD_WORD.test(word) || (PASS_SUFFIX.test(word) && !NOT_A_PASS.test(word));
}

function keyWordStrength(before: readonly string[]): KeyStrength | undefined {
  if (before.includes('public') || before.includes('pub')) return undefined;
  return before.some((word) => KEY_QUALIFIER.test(word)) ? 'token' : undefined;
}

const MEANINGS: readonly { readonly means: RegExp; readonly strength: KeyStrength }[] = [
  { means: TOKEN_WORD, strength: 'token' },
  { means: CODE_WORD, strength: 'code' },
  { means: HINT_WORD, strength: 'hint' },
];

// Access key ids and secret ids are half of a credential, unlike the id of a token or a public key.
function idStrength(words: readonly string[]): KeyStrength | undefined {
  return /(?:access ?key|secret) ?id$/.test(words.join(' ')) ? 'hint' : undefined;
}

function isClassName(segment: string): boolean {
  return /^[A-Z][a-z]+[A-Za-z0-9$]*$/.test(segment) && /[a-z][A-Z]/.test(segment);
}
