import { isIPv4, isIPv6 } from 'node:net';
import type { Report } from './finding.ts';

/** IP and MAC addresses; loopback and unspecified addresses name no machine and stay. */
export function findAddresses(text: string, report: Report): void {
  findIpv4(text, report);
  if (text.includes(':')) findColonAddresses(text, report);
  else if (text.includes('-')) findMac(text, report);
}

const IPV4 =
  /(?:(?<![A-Za-z0-9.]|\d:)|(?<=%[0-9A-F]{2})|(?<=\\[nrt]))(?:\d{1,3}\.){3}\d{1,3}(?![A-Za-z0-9]|\.[A-Za-z0-9])/g;
// A version has a product in front: `openresty/1.21.4.3`, `version 10.2.33.17 -> 10.2.33.18`.
const VERSION_BEFORE =
  /(?:(?:^|[\s"'(;,])[A-Za-z][A-Za-z0-9_+-]{0,40}\/|\b(?:version|ver|release|agent|jdk|driver|v)[\s:="']{1,4}|版本[号为是：:\s]{0,4}|(?:升级|回滚)[到至为]?\s?|(?:version|ver|版本)\D{0,24}[\d.]{7,15}\s?(?:->|→|to|=>)\s?)$/i;

function findIpv4(text: string, report: Report): void {
  for (const match of text.matchAll(IPV4)) {
    const start = match.index;
    const end = start + match[0].length;
    if (!isIPv4(match[0]) || isNoMachine(match[0])) continue;
    if (isVersion(text, start, end)) continue;
    report({ start, end, kind: 'ip' });
  }
}

function isVersion(text: string, start: number, end: number): boolean {
  if (/^:\d/.test(text.slice(end, end + 2))) return false;
  if (/^\s?(?:升级|回滚)/.test(text.slice(end, end + 4))) return true;
  if (/[\w~+-]/.test(text[start - 1] ?? '')) return !PRIVATE_RANGE.test(text.slice(start, end));
  return VERSION_BEFORE.test(text.slice(Math.max(0, start - 64), start));
}

// RFC 1918: behind a hyphen these are machines (`Handler-10.34.5.150`), others are versions.
const PRIVATE_RANGE = /^(?:10|192\.168|172\.(?:1[6-9]|2[0-9]|3[01]))\./;

function isNoMachine(address: string): boolean {
  return /^(?:127\.|0\.0\.0\.0$|255\.255\.)/.test(address);
}

const COLON_RUN =
  /(?<![\w:.])(?=[0-9A-Fa-f]{0,8}:)[0-9A-Fa-f:]{3,64}(?:\.\d{1,3}){0,3}(?:%[\w.-]{1,16})?(?![\w]|:[\w])/g;
const MAC =
  /(?<![\w:-])(?:[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}|(?:[0-9A-Fa-f]{4}\.){2}(?=[0-9A-Fa-f]{4}))[0-9A-Fa-f]{2,4}(?![\w:-])/g;

function findColonAddresses(text: string, report: Report): void {
  findMac(text, report);
  for (const match of text.matchAll(COLON_RUN)) {
    const written = match[0].replace(/(?<!:):$/, '');
    if (isIpv6(written)) {
      report({ start: match.index, end: match.index + written.length, kind: 'ip' });
    }
  }
}

function findMac(text: string, report: Report): void {
  for (const match of text.matchAll(MAC)) {
    report({ start: match.index, end: match.index + match[0].length, kind: 'mac' });
  }
}

function isIpv6(written: string): boolean {
  const address = written.split('%')[0] ?? '';
  if (/^[:0]*1?$/.test(address) || !/[0-9]/.test(address)) return false;
  return isIPv6(address) || (address.includes('::') && LINK_LOCAL_OR_PRIVATE.test(address));
}

// Logs carry addresses with a group too long; the prefix still tells what they are.
const LINK_LOCAL_OR_PRIVATE = /^(?:fe80|f[cd][0-9a-f]{2}|2[0-9a-f]{3}):[0-9a-f:]*::?[0-9a-f:]+$/i;
