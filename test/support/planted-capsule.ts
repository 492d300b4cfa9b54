import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Incident } from '../../shared/contracts/incident.ts';
import { shippedIncident } from './shipped-incident.ts';

/** Lines of a shipped log that are kept: enough for a diagnosis, few enough for many of them. */
const KEPT_LINES = 60;
const FREE_TEXT_COLUMN = /query|text|info|state|message|user|name$/;
const SOURCES = ['logs', 'knowledge', 'mysql'] as const;

/** A capsule in a temporary folder, which goes away when it is disposed of. */
export interface PlantedCapsule extends Disposable {
  readonly folder: string;
  readonly incident: Incident;
}

/** A shipped incident in whose every log, document and table somebody wrote this text. */
export function plantedCapsule(name: string, text: string): PlantedCapsule {
  const { files, incident } = shippedIncident(name);
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const source of SOURCES) mkdirSync(join(folder, source));
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), planted(path, content, text));
  }
  writeFileSync(join(folder, 'knowledge/notes.md'), `# ${firstLine(text)}\n\n${text}\n`);
  return { folder, incident, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

function planted(path: string, content: string, text: string): string {
  if (path.startsWith('logs/')) return inLog(content, text);
  if (path.startsWith('mysql/')) return inTable(content, text);
  return path.startsWith('knowledge/') ? `${content}\n${text}\n` : content;
}

/** In every fifth line, at its end, and as a line of its own behind it. */
function inLog(content: string, text: string): string {
  const lines = content.trimEnd().split('\n').slice(-KEPT_LINES);
  return `${lines.map((line, at) => (at % 5 === 4 ? `${line} ${text}\n${text}` : line)).join('\n')}\n`;
}

interface Table {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Behind every text of a column that people or programs fill. */
function inTable(content: string, text: string): string {
  const table = JSON.parse(content) as Table; // a shipped file, checked by the tests of its capsule
  const isFree = table.columns.map(({ name }) => FREE_TEXT_COLUMN.test(name));
  const rows = table.rows.map((row) =>
    row.map((cell, at) => (typeof cell === 'string' && isFree[at] ? `${cell} ${text}` : cell)),
  );
  return JSON.stringify({ ...table, rows });
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
