import { parse } from 'yaml';
import { OBSERVATION_CAPS } from '../../../../shared/contracts/observation.ts';
import { utf8Length } from '../../../../shared/kernel/utf8.ts';

/** One document, its text cut into the pieces that are searched and shown. */
export interface MarkdownDocument {
  /** Path relative to the folder, `/` between its parts. */
  readonly id: string;
  readonly title: string;
  /** In order; each is a contiguous part of the document without white space around it. */
  readonly chunks: readonly string[];
}

// Short neighbours are shown as one excerpt; a long section is one thought up to this size.
const MAX_JOINED_BYTES = OBSERVATION_CAPS.excerptBytes;
const MAX_SECTION_BYTES = 4_096;
const MAX_FRONT_MATTER_LENGTH = 4_096;

const HEADING = /^ {0,3}#{1,6}[ \t]+\S/;
const FENCE = /^ {0,3}(?:```|~~~)/;

/**
 * Reads one Markdown document: title from the front matter, else the first heading, else the file
 * name; chunks by heading. Nothing is cut inside a code fence or a PEM block, so that a secret of
 * several lines stays in one piece until it is redacted.
 */
export function readMarkdown(id: string, source: string): MarkdownDocument {
  const { title, body } = readFrontMatter(source);
  const blocks = toBlocks(body);
  return {
    id,
    title: title ?? firstHeading(blocks) ?? fileName(id),
    chunks: joinBlocks(blocks).flatMap((text) => (text.trim() === '' ? [] : [text.trim()])),
  };
}

function readFrontMatter(source: string): { title: string | undefined; body: string } {
  const opening = /^---[ \t]*\r?\n/.exec(source);
  if (opening === null) return { title: undefined, body: source };
  const closing = /^---[ \t]*\r?$/m.exec(source.slice(opening[0].length, MAX_FRONT_MATTER_LENGTH));
  if (closing === null) return { title: undefined, body: source };
  const end = opening[0].length + closing.index;
  return {
    title: titleIn(source.slice(opening[0].length, end)),
    body: source.slice(end + closing[0].length),
  };
}

function titleIn(yaml: string): string | undefined {
  try {
    const read: unknown = parse(yaml, { logLevel: 'silent' });
    if (typeof read !== 'object' || read === null || !('title' in read)) return undefined;
    return typeof read.title === 'string' ? oneLine(read.title) : undefined;
  } catch {
    return undefined; // Front matter is optional: what is no YAML names no title.
  }
}

function oneLine(text: string): string | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

function fileName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

/** A stretch that is never cut; `heading` when it opens a section. */
interface Block {
  readonly text: string;
  readonly heading: string | null;
}

function firstHeading(blocks: readonly Block[]): string | undefined {
  const heading = blocks.find((block) => block.heading !== null)?.heading ?? undefined;
  return heading
    ?.replace(/^ {0,3}#{1,6}/, '')
    .replace(/[ \t]#{1,6}\s{0,9}$/, '')
    .trim();
}

function toBlocks(body: string): Block[] {
  const blocks: Block[] = [];
  const guard = new Guard();
  let from = 0;
  let heading: string | null = null;
  let mayEnd = false;
  for (const { 0: line, index } of body.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const opensSection = guard.isClosed() && HEADING.test(line);
    if (index > from && guard.isClosed() && (opensSection || mayEnd)) {
      blocks.push({ text: body.slice(from, index), heading });
      from = index;
      heading = null;
    }
    if (opensSection) heading = line;
    // A blank line ends a block, unless it stands between a heading and what the heading is about.
    mayEnd = line.trim() === '' && index > from + (heading?.length ?? 0);
    guard.read(line);
  }
  blocks.push({ text: body.slice(from), heading });
  return blocks;
}

/** Knows whether the lines so far leave a code fence or a PEM block open. */
class Guard {
  #inFence = false;
  #inPem = false;

  isClosed(): boolean {
    return !this.#inFence && !this.#inPem;
  }

  read(line: string): void {
    if (FENCE.test(line)) this.#inFence = !this.#inFence;
    if (line.includes('-----BEGIN ')) this.#inPem = true;
    if (line.includes('-----END ')) this.#inPem = false;
  }
}

function joinBlocks(blocks: readonly Block[]): string[] {
  const chunks: string[] = [];
  let open = '';
  let openBytes = 0;
  for (const { text, heading } of blocks) {
    const bytes = utf8Length(text);
    const limit = heading === null ? MAX_SECTION_BYTES : MAX_JOINED_BYTES;
    if (open !== '' && openBytes + bytes > limit) {
      chunks.push(open);
      open = '';
      openBytes = 0;
    }
    open += text;
    openBytes += bytes;
  }
  if (open !== '') chunks.push(open);
  return chunks;
}
