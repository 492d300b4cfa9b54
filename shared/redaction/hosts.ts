import type { Report } from './finding.ts';
import { roleLength } from './workloads.ts';

/** Host names: qualified ones by their last label, bare ones by where they stand. */
export function findHosts(text: string, report: Report): void {
  if (text.includes('.')) findQualified(text, report);
  findSyslogHosts(text, report);
  for (const { gate, pattern } of PLACES) {
    if (!gate.test(text)) continue;
    for (const match of text.matchAll(pattern)) reportBare(match, report);
  }
}

const QUALIFIED =
  /(?<![\w.$-])[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?){1,10}(?![\w(-]|\.[A-Za-z])/g;
const CERTAIN_SUFFIX = /\.(?:svc(?:\.[a-z0-9.-]+)?|internal|intranet|localdomain|lan|corp)$/i;
const PRIVATE_SUFFIX =
  /\.(?:internal|local|localdomain|lan|intranet|corp|svc|private|home|consul|ecs|k8s|prv|priv|idc|arpa)$/i;
const PUBLIC_SUFFIX =
  /\.(?:com|cn|net|org|io|cloud|dev|app|xyz|top|vip|info|biz|me|co|hk|tw|sg|jp|kr|us|uk|eu|de|fr|ru|in|au|ca|tech|site|online|ai|gov|edu|mil|example|test|invalid|localhost)$/i;
// Java packages, loggers and settings read from the wide end; host names from the narrow one.
const PACKAGE =
  /^(?:com|org|net|io|cn|me|edu|gov|java|javax|jakarta|jdk|sun|kotlin|scala|groovy|spring|logging|management|server|system|user|os|node|react|vue|std|core|app|main|this|self|window|process|module|console|math|json)\./i;
// These endings are also members, fields and file parts: `user.name`, `app.test`, `config.local`.
const AMBIGUOUS =
  /\.(?:io|dev|app|me|info|in|top|us|test|local|private|home|co|site|ai|invalid|de|net|ecs|idc|cloud|org|so|example)$/i;

function findQualified(text: string, report: Report): void {
  for (const match of text.matchAll(QUALIFIED)) {
    const name = match[0];
    const inUrl = /:\/\/(?:[^\s/@"'<>]{0,512}@)?$/.test(
      text.slice(Math.max(0, match.index - 560), match.index),
    );
    if (!isHostName(name, inUrl)) continue;
    report({
      start: match.index + hostRole(name),
      end: match.index + name.length,
      kind: 'host',
      identity: name,
    });
  }
}

// Kubernetes names its labels and API groups like hosts: `app.kubernetes.io/name`.
const API_GROUP =
  /(?:^|\.)(?:kubernetes|k8s|istio|prometheus|helm|containerd|cni|grpc|argoproj|fluxcd|cert-manager)\.(?:io|dev)$/;

function isHostName(name: string, inUrl: boolean): boolean {
  if (!/[a-z]/i.test(name)) return false;
  if (inUrl) return true;
  if (PACKAGE.test(name) || API_GROUP.test(name) || name.split('.')[0]?.includes('_') === true)
    return false;
  return CERTAIN_SUFFIX.test(name) || hasHostForm(name);
}

function hasHostForm(name: string): boolean {
  if (!PRIVATE_SUFFIX.test(name) && !PUBLIC_SUFFIX.test(name)) return false;
  if (/[A-Z]/.test(name) && /[a-z]/.test(name)) return false;
  return !AMBIGUOUS.test(name) || /[\d-]/.test(name) || name.split('.').length >= 3;
}

// `mysql-prod-` of mysql-prod-35.hz.acme.internal, `redis-core.` of redis-core.acme.internal.
function hostRole(name: string): number {
  const label = name.split('.')[0] ?? '';
  if (/^[A-Za-z]{2,32}(?:[-_][A-Za-z]{2,32}){0,4}$/.test(label)) return label.length + 1;
  return roleLength(label);
}

const HOST = '((?!stdout\\b|stderr\\b|[A-Z]{4,8}\\s)[A-Za-z0-9](?:[\\w.-]{0,252}\\w)?)';
const LINE_START = '(?:^|["\'])(?:<\\d{1,3}>)?';
const SYSLOG: readonly RegExp[] = [
  // RFC 3164: `Nov 30 17:02:13 HOST sshd[2214]:`
  new RegExp(
    `${LINE_START}[A-Z][a-z]{2}\\s{1,2}\\d{1,2}\\s\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,6})?\\s${HOST}\\s(?=[\\w./@-]{1,64}(?:\\[\\d{1,10}\\])?:\\s)`,
    'gm',
  ),
  // RFC 5424 and its relatives: `<34>1 2026-11-30T17:02:13.003Z HOST su 77 ID47 -`
  new RegExp(
    `${LINE_START}(?:1\\s)?\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:?\\d{2})\\s${HOST}\\s(?=[\\w./@-]{1,64}\\[\\d{1,10}\\]:\\s|[\\w./-]{1,48}\\s(?:\\d{1,10}|-)\\s[\\w-]{1,32}\\s[-[])`,
    'gm',
  ),
];

function findSyslogHosts(text: string, report: Report): void {
  if (!/\d:\d\d:\d/.test(text)) return;
  for (const pattern of SYSLOG) {
    for (const match of text.matchAll(pattern)) {
      const name = match[1] ?? '';
      const end = match.index + match[0].length - 1;
      if (/^[\d.]+$/.test(name)) continue;
      report({ start: end - name.length + roleLength(name), end, kind: 'host', identity: name });
    }
  }
}

interface Place {
  readonly gate: RegExp;
  readonly pattern: RegExp;
}

// A bare name counts where only a machine can stand, and only with a number in it: the rest is a role.
const NUMBERED = '((?=[A-Za-z._-]{0,62}\\d)[A-Za-z0-9](?:[\\w-]{0,61}\\w)?)(?![\\w.(=-])';
const PLACES: readonly Place[] = [
  { gate: /:\/\//, pattern: new RegExp(`://(?:[^\\s/@"'<>]{0,256}@)?${NUMBERED}`, 'g') },
  {
    gate: /host|server|machine|broker|endpoint|主机|服务器/i,
    pattern: new RegExp(
      `(?:host(?:_?name)?|server(?:_?name)?|machine|broker|endpoint|addr(?:ess)?|主机名?|服务器)(?:\\\\{0,15}["'])?\\s{0,3}(?:[:=：]|=>|\\s)\\s{0,3}(?:\\\\{0,15}["'])?${NUMBERED}`,
      'gi',
    ),
  },
  {
    gate: /\d\/\d/,
    pattern: new RegExp(`(?<![\\w./-])${NUMBERED}(?=\\/(?:\\d{1,3}\\.){3}\\d{1,3}:\\d)`, 'g'),
  },
  {
    gate: /\d:\d/,
    pattern: new RegExp(
      `\\b(?:connect(?:ed|ing|ion)?|to|from|instance|peer|remote|upstream|target|backend|addr)\\b[\\s:="'\\[(]{1,4}${NUMBERED}(?=:\\d{2,5}(?![\\d.]))`,
      'g',
    ),
  },
  {
    gate: /hostname|host_name/i,
    pattern:
      /host_?name(?:\\{0,15}["'])?\s{0,3}(?:[:=]|=>)\s{0,3}(?:\\{0,15}["'])?(?!localhost\b|null\b|none\b|unknown\b)([A-Za-z][\w-]{1,62})(?![\w.(=-])/gi,
  },
  {
    gate: /@/,
    pattern: new RegExp(`(?:@\\s{1,2}|@'|\\b\\w{1,32}@)${NUMBERED}(?=\\s?\\[|'|:|\\s|$)`, 'g'),
  },
  {
    gate: /ENOTFOUND|EAI_AGAIN|UnknownHost|resolve|lookup/,
    pattern: new RegExp(
      `(?:ENOTFOUND|EAI_AGAIN|UnknownHostException:|resolve(?: host(?:name)?)?:?|lookup)\\s{1,3}["']?${NUMBERED}`,
      'g',
    ),
  },
];

function reportBare(match: RegExpExecArray, report: Report): void {
  const name = match[1] ?? '';
  if (!/[A-Za-z]/.test(name) || /^[0-9a-f]{4,16}$/.test(name)) return;
  const end = match.index + match[0].length;
  report({ start: end - name.length + roleLength(name), end, kind: 'host', identity: name });
}
