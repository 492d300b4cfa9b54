import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { type QueryHeader, QueryHeaderSchema } from '../../../../shared/contracts/query-header.ts';

/** The two halves of a `.sql` file of the catalogue, or where and why it is not one. */
export type QueryFile =
  | {
      readonly kind: 'read';
      readonly header: QueryHeader;
      /** Without the header, blank edges and a final semicolon. */
      readonly statement: string;
      /** Line of the file that the statement begins on, counted from 1. */
      readonly statementLine: number;
    }
  | { readonly kind: 'broken'; readonly line: number; readonly reason: string };

/** Splits a query file and reads its header: the unbroken run of comment lines at its beginning. */
export function readQueryFile(text: string): QueryFile {
  const lines = text.split('\n');
  const isComment = (line: string) => /^--(?: |$)/.test(line);
  const firstOther = lines.findIndex((line) => !isComment(line));
  const headerLines = firstOther === -1 ? lines : lines.slice(0, firstOther);
  if (headerLines.length === 0) return broken(1, 'must begin with a comment header');
  const header = readHeader(headerLines.map((line) => line.slice('-- '.length)).join('\n'));
  if (header.kind === 'broken') return header;
  const statement = lines.slice(headerLines.length).join('\n');
  const before = statement.slice(0, statement.length - statement.trimStart().length);
  return {
    kind: 'read',
    header: header.header,
    statement: withoutEnd(statement),
    statementLine: headerLines.length + before.split('\n').length,
  };
}

function withoutEnd(statement: string): string {
  const text = statement.trim();
  return text.endsWith(';') ? text.slice(0, -1).trimEnd() : text;
}

type Header =
  | { readonly kind: 'header'; readonly header: QueryHeader }
  | Extract<QueryFile, { kind: 'broken' }>;

function readHeader(yaml: string): Header {
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter, uniqueKeys: true });
  const [flaw] = [...document.errors, ...document.warnings];
  if (flaw !== undefined) {
    return broken(counter.linePos(flaw.pos[0]).line, `is no YAML (${flaw.code})`);
  }
  const parsed = QueryHeaderSchema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (parsed.success) return { kind: 'header', header: parsed.data };
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  return broken(lineOf(document, counter, path), `${path.join('.')}: ${issue?.message ?? ''}`);
}

/** The line of the deepest node on a path that the document has. */
function lineOf(document: Document, counter: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
  }
  return 1;
}

function broken(line: number, reason: string): Extract<QueryFile, { kind: 'broken' }> {
  return { kind: 'broken', line, reason };
}
