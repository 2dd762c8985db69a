import { parse } from 'csv-parse/sync';
import { extensionOf } from './formats.js';
import { Rejected, type Converted } from './types.js';

/** Bytes as text: UTF-8, UTF-16 with a mark, else Latin-1; line ends become `\n`. A NUL says that it is no text. */
export function decode(bytes: Uint8Array): string {
  const text = plain(bytes).replace(/\r\n?/g, '\n');
  if (text.includes('\0')) throw new Rejected('damaged', 'It is no text, whatever its name says.');
  return text;
}

function plain(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** Its own head, if it has one, stays in the text: it is the author's. */
export function markdown(bytes: Uint8Array): Converted {
  const text = decode(bytes);
  return { markdown: text, title: /^#\s+(.+?)\s*#*$/m.exec(text)?.[1] };
}

export function text(bytes: Uint8Array): Converted {
  return { markdown: decode(bytes) };
}

/** In a fence that is longer than any in it, so that nothing of it is read as Markdown. */
export function code(bytes: Uint8Array, filename: string): Converted {
  const source = decode(bytes).trimEnd();
  const longest = Math.max(2, ...[...source.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return { markdown: source === '' ? '' : `${fence}${extensionOf(filename)}\n${source}\n${fence}` };
}

export function csv(bytes: Uint8Array, filename: string): Converted {
  let rows: string[][];
  try {
    rows = parse(decode(bytes), {
      delimiter: extensionOf(filename) === 'tsv' ? '\t' : [',', ';', '\t'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch {
    throw new Rejected('damaged', 'Its rows could not be told apart: a quote is not closed, or it is no CSV.');
  }
  return { markdown: table(rows) };
}

/** Rows as a table of Markdown; the first is the head. */
export function table(rows: readonly (readonly unknown[])[]): string {
  const width = Math.max(0, ...rows.map((r) => r.length));
  if (width === 0) return '';
  const line = (cells: readonly unknown[]): string =>
    `| ${Array.from({ length: width }, (_, i) => cell(cells[i])).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), `| ${Array.from({ length: width }, () => '---').join(' | ')} |`, ...rest.map(line)].join('\n');
}

function cell(value: unknown): string {
  const shown = value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, '') : String(value ?? '');
  return shown
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
}
