/** A document as its file has it: where it came from, then Markdown. Pure. */
import { isObj, type Obj } from '@coffer/kernel';
import { parseDocument, stringify } from 'yaml';

export interface DocumentHead {
  title: string;
  source_filename: string;
  source_format: string;
  /** Of the original's bytes. */
  source_sha256: string;
  /** `edited`: a person or an agent changed the Markdown; it is not converted anew over that. */
  source_mode: 'converted' | 'edited';
  /** ISO 8601. */
  ingested_at: string;
  /** Of the Markdown as it was converted: another one was edited by hand. */
  converted_sha256?: string | undefined;
}

const HEAD = /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/;

export function formatDocument(head: DocumentHead, body: string): string {
  return `---\n${stringify(head, { lineWidth: 0 })}---\n\n${body.trim()}\n`;
}

export interface ParsedDocument {
  head: Partial<DocumentHead>;
  body: string;
  /** The line the body starts at, from 1. */
  line: number;
}

/** Takes any text: a file put here by hand has no head and is a document all the same. */
export function parseDocumentFile(file: string): ParsedDocument {
  const source = file.startsWith('\ufeff') ? file.slice(1) : file;
  const match = HEAD.exec(source);
  const head = match === null ? undefined : yamlOf(match[1] ?? '');
  const rest = match === null || head === undefined ? source : source.slice(match[0].length);
  const leading = /^\n*/.exec(rest)?.[0].length ?? 0;
  return {
    head: head ?? {}, // read with care: each field is looked at where it is used
    body: rest.slice(leading),
    line: source.slice(0, source.length - rest.length + leading).split('\n').length,
  };
}

function yamlOf(source: string): Obj | undefined {
  const doc = parseDocument(source);
  if (doc.errors.length > 0) return undefined;
  const value: unknown = doc.toJS({ maxAliasCount: 20 });
  return isObj(value) ? value : undefined;
}
