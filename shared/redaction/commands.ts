import type { Report } from './finding.ts';

/** Credentials by their place in a command or statement: `curl -u user:…`, `IDENTIFIED BY '…'`, `AUTH …`. */
export function findCommandCredentials(text: string, report: Report): void {
  for (const { gate, pattern } of PLACES) {
    if (!gate.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const value = match.slice(1).find((group) => group !== undefined) ?? '';
      const end = match.index + match[0].length;
      report({ start: end - value.length, end, kind: 'secret' });
    }
  }
}

const QUOTED_OR_BARE = `(?:'([^'\\n]{1,256})|"([^"\\n]{1,256})|\\\\+"([^"\\\\\\n]{1,256})|([^\\s'"\\\\;,)]{2,256}))`;

interface Place {
  readonly gate: RegExp;
  readonly pattern: RegExp;
}

function place(gate: RegExp, before: string, value: string = QUOTED_OR_BARE, flags = 'gi'): Place {
  return { gate, pattern: new RegExp(before + value, flags) };
}

const PLACES: readonly Place[] = [
  place(
    /identified/i,
    '\\bidentified\\s(?:with\\s\\S{1,64}\\s)?(?:by|as|using)\\s(?:password\\s)?(?!password\\b)',
  ),
  place(
    /set\s+password/i,
    '\\bset\\s+password\\b[^=\\n]{0,128}=\\s{0,4}(?:password\\(|old_password\\()?\\s{0,4}',
    `(?:'([^'\\n]{1,256})|"([^"\\n]{1,256}))`,
  ),
  place(
    /\bpassword\s?\(/i,
    '\\bpassword\\s?\\(\\s{0,4}',
    `(?:'([^'\\n]{1,256})|"([^"\\n]{1,256}))`,
  ),
  place(
    /\b(?:encrypted|with)\s+password/i,
    '\\b(?:encrypted|with)\\s+password\\s+',
    `(?:'([^'\\n]{1,256}))`,
  ),
  place(
    /\bAUTH\b/,
    '(?<![\\w-])(?:sent:?\\s|>\\s{0,2}|"|\')?AUTH2?\\s(?:\\w{1,64}\\s)?(?!\\w+\\s?[=:(])',
    '(?=[^\\s\'"]{0,255}[0-9!#$%^&*])([^\\s\'",;]{6,256})',
    'g',
  ),
  place(/"auth"/i, '"auth"\\s(?:"[^"\\n]{1,64}"\\s)?', '"([^"\\n]{4,256})'),
  place(
    /requirepass|masterauth|sentinel auth-pass/i,
    '\\b(?:requirepass|masterauth|auth-pass\\s\\S{1,64})\\\\?["\']?\\s{1,4}',
  ),
  place(
    /\bcurl|\bhttp\s|\bwget|-u\b|--user\b/,
    '(?<![\\w-])(?:-u|(?:--user|--proxy-user|-U)(?=[\\s=]))(?:\\s{0,4}|=)["\']?[\\w.@\\\\-]{1,128}:',
    `([^\\s'"]{1,256})`,
  ),
  place(/\bredis-cli\b/, '\\bredis-cli\\b[^\\n|;]{0,200}?\\s-a\\s{1,4}'),
  place(
    /\b(?:login|sshpass|zip|7z|ldapsearch|ldapmodify|mongo(?:sh|dump|restore|import|export)?|sqlcmd|ipmitool)\b/,
    '\\b(?:login|sshpass|ldapsearch|ldapmodify|mongo(?:sh|dump|restore|import|export)?|sqlcmd|ipmitool)\\b[^\\n|;]{0,200}?\\s-[pPw]\\s{0,4}(?!\\s|assword|rofile|\\d{1,5}\\b)',
  ),
  place(
    /\bmysql|\bmariadb/,
    '\\b(?:mysql|mysqldump|mysqladmin|mysqlbinlog|mysqlimport|mariadb|mariadb-dump|xtrabackup)\\s[^\\n|;]{0,200}?(?<=\\s)-p(?=\\S)',
  ),
  place(/\bpass:/i, '(?<![\\w])pass:(?!\\s)', `([^\\s'"]{4,256})`),
  place(/digest/i, '\\b(?:addauth|digest)\\s(?:digest\\s)?[\\w.-]{1,64}:', `([^\\s'"]{4,256})`),
  place(
    /\bmachine\b|\blogin\b/i,
    '\\blogin\\s\\S{1,128}\\s{1,4}(?:account\\s\\S{1,64}\\s)?password\\s{1,4}',
  ),
  place(/ConvertTo-SecureString/i, 'ConvertTo-SecureString\\s(?:-String\\s)?'),
  place(/\bsetuser\b/i, '\\bsetuser\\s[^\\n]{0,200}?\\s[>#<!]', '([^\\s"]{4,256})'),
  place(/smbclient|mount/, '\\s-U\\s?[\\w.\\\\-]{1,64}%', '([^\\s"\']{4,256})'),
  place(
    /rabbitmqctl|htpasswd/,
    '\\b(?:rabbitmqctl\\s(?:add_user|change_password)|htpasswd\\s-\\w{0,8}b\\w{0,8}(?:\\s\\S{1,128})?)\\s\\S{1,64}\\s{1,4}',
  ),
  place(
    /--password-stdin/,
    '\\becho\\s(?:-n\\s)?["\']?(?=[^|\\n]{1,256}\\|[^|\\n]{0,256}--password-stdin)',
    '([^\\s"\'|]{4,256})',
  ),
  // .pgpass: host:port:database:user:password
  place(
    /:\d{2,5}:/,
    '^[\\w.*-]{1,255}:(?:\\d{2,5}|\\*):[\\w*-]{1,64}:[\\w*-]{1,64}:',
    '([^\\s:]{4,256})$',
    'gm',
  ),
];
