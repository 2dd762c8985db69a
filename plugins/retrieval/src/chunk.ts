/** Cuts Markdown into passages: along its headings and blocks, never through a fence or a table that fits. Pure. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { ChunkSize } from './types.js';

export interface Chunk {
  /** Headings above it and its own, outermost first. */
  headings: readonly string[];
  text: string;
  /** In the text that was cut, from 1. */
  line: number;
}

/** Fences, tables and the like stay whole up to so many times the size. */
const WHOLE = 4;
/** A text above this is cut by lines: parsing it as Markdown takes long and it has rarely any structure. */
const PARSED = 2_000_000;

interface Block {
  type: string;
  text: string;
  line: number;
}

export function chunksOf(text: string, { size, overlap }: ChunkSize): Chunk[] {
  const chunks: Chunk[] = [];
  const path: { depth: number; title: string }[] = [];
  let held: Block[] = [];
  const flush = (): void => {
    const whole = held.map((b) => b.text).join('\n\n');
    if (whole.trim() !== '') chunks.push({ headings: path.map((h) => h.title), text: whole, line: held[0]?.line ?? 1 });
    held = [];
  };
  for (const block of blocksOf(text)) {
    const heading = block.type === 'heading' ? headingOf(block.text) : undefined;
    if (heading !== undefined) {
      flush();
      while ((path.at(-1)?.depth ?? 0) >= heading.depth) path.pop();
      path.push(heading);
    }
    const length = held.reduce((n, b) => n + b.text.length + 2, 0);
    const limit = block.type === 'code' || block.type === 'table' ? size * WHOLE : size;
    if (length > 0 && length + block.text.length > size && !onlyHeading(held)) flush();
    if (block.text.length <= limit) held.push(block);
    else {
      const [first, ...rest] = pieces(block, size, overlap);
      if (first !== undefined) held.push(first);
      flush();
      for (const piece of rest) {
        held.push(piece);
        flush();
      }
    }
  }
  flush();
  return chunks;
}

/** A heading stays with what follows it. */
function onlyHeading(held: readonly Block[]): boolean {
  return held.every((b) => b.type === 'heading');
}

function blocksOf(text: string): Block[] {
  if (text.length > PARSED) return [{ type: 'text', text, line: 1 }];
  const tree = fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  return tree.children.flatMap((node) => {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    return start === undefined || end === undefined
      ? []
      : [{ type: node.type, text: text.slice(start, end), line: node.position?.start.line ?? 1 }];
  });
}

/** `# Title` or a title with a line of `=` or `-` below. */
function headingOf(text: string): { depth: number; title: string } {
  const atx = /^(#{1,6})[ \t]*(.*?)[ \t]*#*[ \t]*$/s.exec(text);
  if (atx !== null) return { depth: atx[1]?.length ?? 1, title: (atx[2] ?? '').trim() };
  const lines = text.split('\n');
  return {
    depth: lines.at(-1)?.trimStart().startsWith('=') === true ? 1 : 2,
    title: lines.slice(0, -1).join(' ').trim(),
  };
}

/** A block that is too long, cut where a line, a sentence or a word ends, the pieces sharing `overlap` characters. */
function pieces(block: Block, size: number, overlap: number): Block[] {
  const found: Block[] = [];
  const { text, type } = block;
  let from = 0;
  let line = block.line;
  while (from < text.length) {
    const to = from + size >= text.length ? text.length : breakBefore(text, from, from + size);
    found.push({ type, text: text.slice(from, to), line });
    if (to >= text.length) break;
    const next = Math.max(to - overlap, from + 1);
    line += count(text, from, next);
    from = next;
  }
  return found;
}

/** The last good place to cut in the second half of a piece; else where it ends, but not through a pair of surrogates. */
function breakBefore(text: string, from: number, to: number): number {
  const half = from + Math.floor((to - from) / 2);
  for (const end of ['\n', '. ', '。', ' ']) {
    const at = text.lastIndexOf(end, to - end.length);
    if (at >= half) return at + end.length;
  }
  const code = text.charCodeAt(to);
  return code >= 0xdc00 && code <= 0xdfff ? to - 1 : to;
}

function count(text: string, from: number, to: number): number {
  let n = 0;
  for (let i = text.indexOf('\n', from); i >= 0 && i < to; i = text.indexOf('\n', i + 1)) n++;
  return n;
}
