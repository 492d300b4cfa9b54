import type { Report } from './finding.ts';

/** Pods, nodes and containers of Kubernetes, ECS and Docker; the role in a name stays readable. */
export function findWorkloads(text: string, report: Report): void {
  if (text.includes('-')) {
    findPodShapes(text, report);
    findNodeShapes(text, report);
  }
  findNamed(text, report);
  if (/[0-9a-f]{12}/.test(text)) findContainers(text, report);
}

// Kubernetes makes suffixes of these letters and digits only (no vowels, no 0, 1, 3).
const SUFFIX = '[bcdfghjklmnpqrstvwxz2-9]{5}';
const POD =
  /(?<![A-Za-z0-9.-])([a-z][a-z0-9]{0,62}(?:[-.][a-z0-9]{1,62}){0,12}?)-([a-z0-9]{6,10})-([a-z0-9]{5})(?![a-z0-9A-Z-]|\.(?!log|txt|gz|out|err|json|hprof)[a-z])/g;
const JOB_POD = new RegExp(
  `(?<![A-Za-z0-9.-])([a-z][a-z0-9-]{0,100}?)-([0-9]{8,10}-${SUFFIX})(?![a-z0-9A-Z-])`,
  'g',
);

function findPodShapes(text: string, report: Report): void {
  for (const match of text.matchAll(POD)) reportShape(match, report);
  for (const match of text.matchAll(JOB_POD)) reportShape(match, report);
}

function reportShape(match: RegExpMatchArray, report: Report): void {
  const [name, role = '', hash = '', suffix] = match;
  if (suffix !== undefined && !(isPodHash(hash) && isPodSuffix(suffix))) return;
  reportNamed(match.index ?? 0, name, role.length + 1, 'pod', report);
}

function hasPodShape(name: string): boolean {
  const found: string[] = [];
  findPodShapes(name, ({ identity }) => found.push(identity ?? ''));
  return found.includes(name);
}

function isPodHash(hash: string): boolean {
  if (/^[bcdfghjklmnpqrstvwxz2-9]{6,10}$/.test(hash)) return true;
  return hash.length >= 8 && /[0-9]/.test(hash) && /[a-z]/.test(hash);
}

function isPodSuffix(suffix: string): boolean {
  return (
    /^[bcdfghjklmnpqrstvwxz2-9]{5}$/.test(suffix) || (/[0-9]/.test(suffix) && /[a-z]/.test(suffix))
  );
}

function reportNamed(
  at: number,
  name: string,
  role: number,
  kind: 'pod' | 'node' | 'container',
  report: Report,
): void {
  report({ start: at + role, end: at + name.length, kind, identity: name });
}

const NODE =
  /(?<![\w.-])(?:aks-[a-z0-9-]{1,60}-vmss[0-9a-z]{6}|gke-[a-z0-9-]{1,80}-[0-9a-f]{8}-[a-z0-9]{4}|(?:fargate-)?ip-(?:\d{1,3}-){3}\d{1,3}(?:\.[a-z0-9-]{1,63}){0,6}|[a-z]{2}-[a-z]{2,20}(?:-\d)?\.(?:(?:\d{1,3}\.){3}\d{1,3}|i-[a-z0-9]{8,22}))(?![\w-])/g;

function findNodeShapes(text: string, report: Report): void {
  for (const match of text.matchAll(NODE)) {
    report({ start: match.index, end: match.index + match[0].length, kind: 'node' });
  }
}

// `pod_name":"mysql-0"`, `on node worker-3`, `pod/filebeat-x7k2p`, `pod "x-1"`.
const NAMED =
  /(?<![A-Za-z0-9])(?:k8s[._])?(pod|node|container|task|节点|容器组|实例)(?:[_.-]?(?:name|id)|Name|ID|Id)?(?:\\{0,15}["'])?(?:\s{0,3}[:=]\s{0,3}|\s|\/)(?:\\{0,15}["'])?(?:[a-z0-9-]{1,63}\/)?((?=[a-z0-9.-]{0,252}\d)[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?![\w=:(/-]|\.\w)/gi;

function findNamed(text: string, report: Report): void {
  if (!/pod|node|container|task|节点|容器组|实例/i.test(text)) return;
  for (const match of text.matchAll(NAMED)) {
    const [whole, kind = '', name = ''] = match;
    if (!isMachineName(name) || hasPodShape(name)) continue;
    const start = match.index + whole.length - name.length;
    const role = roleLength(name);
    reportNamed(start, name, role, kindOf(kind.toLowerCase()), report);
  }
}

function kindOf(word: string): 'pod' | 'node' | 'container' {
  if (word === 'node' || word === '节点') return 'node';
  return word === 'container' || word === 'task' ? 'container' : 'pod';
}

function isMachineName(name: string): boolean {
  return /[a-z]/.test(name) && /[-.]/.test(name) && !/^v?\d+\.\d+/.test(name);
}

/** Length of the leading words of a name that tell its role, their separator included. */
export function roleLength(name: string): number {
  return /^(?:[A-Za-z]{2,32}[-_])+(?=[A-Za-z0-9._-]*\d)/.exec(name)?.[0].length ?? 0;
}

const LONG_ID = /(?<![0-9a-zA-Z:])[0-9a-f]{64}(?![0-9a-zA-Z])/g;
const SHORT_ID =
  /(?:\bcontainer|\bCONTAINER ID|\bdocker\s[a-z]{2,10}|容器)(?:[_ -]?id)?["']?[\s:=("'/]{1,4}([0-9a-f]{12,64})(?![0-9a-zA-Z])/gi;
const LISTED_ID = /^([0-9a-f]{12})(?=[ \t]{2,})/gm;
const POD_UID =
  /\bpod(?:[_ -]?uid["']?\s?[:=]\s?["']?)?([0-9a-f]{8}[-_](?:[0-9a-f]{4}[-_]){3}[0-9a-f]{12})(?![0-9a-zA-Z])/gi;
const CONTAINER_WORD =
  /container|docker|kubepods|cri-o|crio-|cgroup|moby|runc|containerd|overlay2|k8s\.io|\bshim|容器/i;

function findContainers(text: string, report: Report): void {
  for (const match of text.matchAll(POD_UID)) reportId(match, 'pod', report);
  if (!CONTAINER_WORD.test(text)) return;
  for (const match of text.matchAll(SHORT_ID)) reportId(match, 'container', report);
  if (text.includes('CONTAINER ID')) {
    for (const match of text.matchAll(LISTED_ID)) reportId(match, 'container', report);
  }
  for (const match of text.matchAll(LONG_ID)) {
    report({ start: match.index, end: match.index + 64, kind: 'container' });
  }
}

function reportId(match: RegExpExecArray, kind: 'pod' | 'container', report: Report): void {
  const id = match[1] ?? '';
  const end = match.index + match[0].length;
  report({ start: end - id.length, end, kind });
}
