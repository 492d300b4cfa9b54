import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { PlaybookHeadSchema } from '../../../shared/contracts/playbook.ts';
import { canonicalJson, sha256Hex } from '../../../shared/kernel/canonical-json.ts';
import { HarnessError } from '../../../shared/kernel/errors.ts';

/** One playbook: what the prompt lists, and the body that `read_skill` hands out. */
export interface Playbook {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** All playbooks of a deployment, by name, and a hash that changes when any of them does. */
export interface PlaybookCatalog {
  readonly playbooks: readonly Playbook[];
  readonly sha256: string;
}

/** The catalogue of a deployment that has its playbooks switched off. */
export const NO_PLAYBOOKS: PlaybookCatalog = toCatalog([]);

/**
 * Reads `<folder>/<name>/SKILL.md`.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` naming the file at fault
 */
export function loadPlaybooks(folder: string): PlaybookCatalog {
  return toCatalog(folderNames(folder).map((name) => loadPlaybook(folder, name)));
}

/** What a read came to. */
export type PlaybookRead =
  | { readonly kind: 'read'; readonly playbook: Playbook }
  | { readonly kind: 'already_read' }
  | { readonly kind: 'unknown'; readonly validNames: readonly string[] };

/** The reading of playbooks in one run: each at most once, the first one is the selected one. */
export class PlaybookReader {
  readonly #catalog: PlaybookCatalog;
  readonly #read: Playbook[] = [];

  constructor(catalog: PlaybookCatalog) {
    this.#catalog = catalog;
  }

  /** The playbook this run works by, or null. */
  get selected(): string | null {
    return this.#read[0]?.name ?? null;
  }

  /** The bodies that were read; links in them may be passed on. */
  get texts(): readonly string[] {
    return this.#read.map(({ body }) => body);
  }

  /** Names are compared with the catalogue, never made into a path. */
  read(name: string): PlaybookRead {
    const { playbooks } = this.#catalog;
    const playbook = playbooks.find((candidate) => candidate.name === name);
    if (playbook === undefined) {
      return { kind: 'unknown', validNames: playbooks.map((known) => known.name) };
    }
    if (this.#read.includes(playbook)) return { kind: 'already_read' };
    this.#read.push(playbook);
    return { kind: 'read', playbook };
  }
}

function folderNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch (cause) {
    throw invalid(folder, 'the playbook folder cannot be read', cause);
  }
}

function loadPlaybook(folder: string, name: string): Playbook {
  const file = join(folder, name, 'SKILL.md');
  const [head, body] = splitFrontMatter(file, readText(file));
  const parsed = PlaybookHeadSchema.safeParse(head);
  if (!parsed.success) {
    const fault = parsed.error.issues[0];
    throw invalid(file, `front matter ${fault?.path.join('.') ?? ''}: ${fault?.message ?? ''}`);
  }
  if (parsed.data.name !== name) throw invalid(file, `its name must be its folder's, ${name}`);
  return { name, description: parsed.data.description, body };
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    throw invalid(file, 'it cannot be read as UTF-8 text', cause);
  }
}

function splitFrontMatter(file: string, text: string): [unknown, string] {
  const parts = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text);
  if (parts === null) throw invalid(file, 'it must begin with a front matter between --- lines');
  const [, head = '', body = ''] = parts;
  try {
    return [parseYaml(head), body.trim()];
  } catch (cause) {
    throw invalid(file, 'its front matter is not YAML', cause);
  }
}

function invalid(file: string, fault: string, cause?: unknown): HarnessError {
  return new HarnessError('CONFIGURATION_INVALID', `playbook ${file}: ${fault}`, { cause });
}

function toCatalog(playbooks: readonly Playbook[]): PlaybookCatalog {
  return { playbooks, sha256: sha256Hex(canonicalJson(playbooks)) };
}
