/**
 * Host names and IP addresses in a folded text that lead somewhere without a scheme: `www.` names,
 * names with a path, and with `hostNames` mere names too, more of them behind a command that fetches
 * (`curl evil.io`). A dotted name is taken for a host where its last label is that of a registry, or
 * where a port or a query stands before or in the path; that leaves class names, columns, files and
 * settings alone.
 */
export function hostLinks(folded: string, hostNames: boolean): readonly string[] {
  return [...folded.matchAll(NAME)].flatMap(({ 0: name, index }) => {
    const before = folded.slice(Math.max(0, index - 2), index);
    if (/(?:^|[^/\\])[/\\]$/.test(before)) return []; // inside a path
    const host = hostIn(name);
    const rest = folded.slice(index + name.length, index + name.length + MAX_PATH);
    const path = PATH.exec(rest)?.[0] ?? '';
    const isNamed =
      before === '//'
        ? isUnder(REGISTRY, host)
        : hostNames && isUnder(registryAt(folded, index), host);
    return [...(leadsSomewhere(host, path) ? [host + path] : []), ...(isNamed ? [host] : [])];
  });
}

/** Characters of a path that count; both sides of a comparison are cut alike. */
const MAX_PATH = 2_048;

/** Letters of any script that is written with blanks; Chinese text may touch a name. */
const NAME = /[[\p{L}\p{M}\p{N}._\-]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]{1,1024}/gv;

const PATH =
  /^(?::[0-9]{1,5})?[\/?#\\][[^\s<>"'`]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}、，。；！？（）【】《》“”‘’]]{0,2048}/v;

/** Registries: every two-letter one, the large general ones, and names that are kept for private use. */
const REGISTRY =
  /^(?:[a-z]{2}|com|net|org|edu|gov|biz|info|xyz|top|vip|club|site|online|shop|icu|live|link|click|app|dev|cloud|tech|zip|wang|ltd|fun|space|website|example|invalid|internal|intranet|corp|lan|local|xn--[a-z0-9-]{1,59}|.*[^a-z0-9_-].*)$/;

/** Those of them whose last label hardly ever ends the name of a class, a column or a file. */
const COMMON =
  /^(?:com|net|org|edu|gov|biz|xyz|top|vip|club|site|online|shop|icu|cn|hk|tw|ru|su|website|example|invalid|xn--[a-z0-9-]{1,59})$/;

/** The registries whose mere names count at a place. */
function registryAt(folded: string, at: number): RegExp {
  return FETCHING.test(folded.slice(Math.max(0, at - MAX_COMMAND), at)) ? REGISTRY : COMMON;
}

const MAX_COMMAND = 64;
/** A command that fetches from, or connects to, the name behind it; behind `-o` stands a file. */
const FETCHING =
  /(?<![a-z0-9])(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|nc|ncat|telnet)(?:\s{1,4}-{1,2}(?!o\s|output\b)[a-z0-9-]{1,32}){0,4}\s{1,4}$/;

/** A name without the dots of a sentence around it; a last dot is the root's. */
function hostIn(name: string): string {
  const host = name.replace(/\.{1,64}$/, '');
  return host.slice(host.lastIndexOf('..') + 1).replace(/^[._-]{1,64}/, '');
}

const IP_ADDRESS = /^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/;

function leadsSomewhere(host: string, path: string): boolean {
  const labels = host.split('.');
  if (labels.length < 2) return false;
  if (labels[0] === 'www') return true;
  if (path === '') return false;
  return /\.[0-9]+$/.test(host)
    ? IP_ADDRESS.test(host) && !/^[:/0-9.]*$/.test(path) // 10.0.0.0/8 and 10.0.0.1/10.0.0.2 lead nowhere
    : isUnder(REGISTRY, host) || /^:|[?&][^=]{1,64}=/.test(path);
}

function isUnder(registry: RegExp, host: string): boolean {
  const lastDot = host.lastIndexOf('.');
  return lastDot > 0 && registry.test(host.slice(lastDot + 1));
}
