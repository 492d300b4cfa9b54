import type { Report } from './finding.ts';

/** Values of a Kubernetes Secret, whatever its keys are called, in YAML and in JSON. */
export function findKubernetesSecrets(text: string, report: Report): void {
  if (!text.includes('Secret')) return;
  if (/^\s{0,16}kind:\s{0,4}["']?Secret\b/m.test(text)) findInYaml(text, report);
  if (/\\{0,3}"kind\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"Secret\\{0,3}"/.test(text))
    findInJson(text, report);
}

const YAML_BLOCK =
  /^([ \t]{0,16})(?:data|stringData):[ \t]{0,4}\r?\n((?:\1[ \t]{1,16}\S.*(?:\r?\n|$)){1,500})/gm;
const YAML_VALUE = /^[ \t]{1,32}[\w.-]{1,253}:[ \t]{1,4}(\S.*)$/gm;

function findInYaml(text: string, report: Report): void {
  for (const block of text.matchAll(YAML_BLOCK)) {
    const body = block[2] ?? '';
    reportValues(body, block.index + block[0].length - body.length, YAML_VALUE, report);
  }
}

const JSON_BLOCK = /"(?:data|stringData)\\{0,3}"\s{0,4}:\s{0,4}\{([^{}]{1,65536})\}/g;
const JSON_VALUE = /:\s{0,4}\\{0,3}"([^"\\]{1,65536})/g;

function findInJson(text: string, report: Report): void {
  for (const block of text.matchAll(JSON_BLOCK)) {
    const body = block[1] ?? '';
    reportValues(body, block.index + block[0].length - 1 - body.length, JSON_VALUE, report);
  }
}

function reportValues(body: string, base: number, pattern: RegExp, report: Report): void {
  for (const match of body.matchAll(pattern)) {
    const value = (match[1] ?? '').trimEnd();
    const start = base + match.index + match[0].indexOf(value);
    report({ start, end: start + value.length, kind: 'secret' });
  }
}
