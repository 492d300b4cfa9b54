import { TextDecoder } from 'node:util';
import stripAnsi from 'strip-ansi';

/** A piece of a line without end is handed on at this length, so that memory stays bounded. */
const MAX_LINE_CHARS = 1_048_576;
const REPLACEMENT = '\ufffd';
const CONTROLS = new RegExp(
  `[${String.fromCharCode(0)}-${String.fromCharCode(8)}\\v\\f${String.fromCharCode(14)}-${String.fromCharCode(31)}${String.fromCharCode(127)}]`,
  'g',
);

/**
 * Turns the bytes of a log into lines, piece by piece: UTF-8, or what a byte order mark says; torn
 * bytes are replaced and counted; terminal colours and other control characters go.
 */
export class LineDecoder {
  /** Replacement characters that stand for bytes the encoding does not know. */
  bytesReplaced = 0;
  #decoder: TextDecoder | null = null;
  #isUtf8 = true;
  #rest = '';
  #genuine = 0;
  #tail = new Uint8Array(0);
  #shown = 0;

  /** The lines that these bytes complete. */
  push(bytes: Uint8Array): string[] {
    return this.#lines(this.#decode(bytes, true));
  }

  /** The last line, if it has no end. */
  finish(): string[] {
    const lines = this.#lines(this.#decode(new Uint8Array(0), false));
    const last = this.#rest;
    this.#rest = '';
    return last === '' ? lines : [...lines, cleanLine(last)];
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    this.#decoder ??= this.#decoderFor(bytes);
    const text = this.#decoder.decode(bytes, { stream });
    this.#countReplaced(text, bytes);
    return text;
  }

  #decoderFor(bytes: Uint8Array): TextDecoder {
    const encoding = markedEncoding(bytes);
    this.#isUtf8 = encoding === 'utf-8';
    return new TextDecoder(encoding);
  }

  #countReplaced(text: string, bytes: Uint8Array): void {
    if (this.#isUtf8) this.#countGenuine(bytes);
    this.#shown += countOf(text, REPLACEMENT);
    this.bytesReplaced = Math.max(this.bytesReplaced, this.#shown - this.#genuine);
  }

  /** Replacement characters that the source itself holds, also across two pieces. */
  #countGenuine(bytes: Uint8Array): void {
    const joined = new Uint8Array(this.#tail.length + bytes.length);
    joined.set(this.#tail);
    joined.set(bytes, this.#tail.length);
    this.#genuine += countGenuine(joined);
    this.#tail = joined.slice(-2);
  }

  #lines(text: string): string[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE_CHARS) {
      lines.push(this.#rest);
      this.#rest = '';
    }
    return lines.map(cleanLine);
  }
}

/** The line without its carriage return, mark of byte order, terminal sequences and controls. */
function cleanLine(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  const start = line.charCodeAt(0) === 0xfeff ? 1 : 0;
  const text = line.slice(start, end);
  return stripAnsi(text).replace(CONTROLS, ' ');
}

function markedEncoding(bytes: Uint8Array): string {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x84 && second === 0x31 && third === 0x95 && fourth === 0x33) return 'gb18030';
  return 'utf-8';
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
    count += 1;
  return count;
}

function countGenuine(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count += 1;
  }
  return count;
}
