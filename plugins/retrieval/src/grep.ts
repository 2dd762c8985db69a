/** Lines that match a pattern: by ripgrep where there is one, by an own scan with the same limits where not. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CofferError, isObj } from '@coffer/kernel';
import { scan } from './scan.js';
import type { GrepHit, GrepResult } from './types.js';

/** Milliseconds. */
const LIMIT_MS = 5000;
/** Characters of a line that are shown. */
const SHOWN = 500;
const MOST = 500;
/** Files that are read together. */
const AT_ONCE = 32;
const LONG = 10_000;

export interface GrepOptions {
  folder: string;
  includes: (path: string) => boolean;
  pattern: string;
  most: number;
  signal?: AbortSignal | undefined;
  /** For tests: the program, or none. */
  ripgrep?: string | undefined;
}

export async function grep(options: GrepOptions): Promise<GrepResult> {
  const most = Math.min(Math.max(1, options.most), MOST);
  let pattern: RegExp;
  try {
    pattern = new RegExp(options.pattern, 'iu');
  } catch {
    throw new CofferError(
      'BAD_REQUEST',
      'The pattern is no regular expression. Put a backslash before ( ) [ ] { } . * + ? to mean them.',
      {
        path: 'pattern',
      },
    );
  }
  const { ripgrep = 'rg' } = options;
  return (await byRipgrep({ ...options, most }, ripgrep)) ?? byScan({ ...options, most }, pattern);
}

/** Undefined: there is no ripgrep, or it does not understand the pattern as we do. */
function byRipgrep(
  { folder, includes, pattern, most, signal }: GrepOptions,
  program: string,
): Promise<GrepResult | undefined> {
  return new Promise((resolve) => {
    const args = [
      '--json',
      '--ignore-case',
      '--no-config',
      '--no-ignore',
      '--no-follow',
      '--glob',
      '*.md',
      '--sort',
      'path',
    ];
    const child = spawn(program, [...args, '--regexp', pattern, '--', '.'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const hits: GrepHit[] = [];
    let truncated = false;
    const stop = (): void => {
      truncated = true;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(stop, LIMIT_MS);
    signal?.addEventListener('abort', stop, { once: true });
    child.on('error', () => done(undefined));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const hit = hitOf(line);
      if (hit === undefined || !includes(hit.path)) return;
      if (hits.length < most) hits.push(hit);
      else stop();
    });
    let over = false;
    const done = (result: GrepResult | undefined): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(result);
    };
    child.on('close', (code) => {
      // 2 is an error: a folder that is gone has no lines, a pattern of another dialect is tried by our own scan.
      lines.once('close', () => done(code === 2 && !truncated ? undefined : { hits, truncated }));
      lines.close();
    });
  });
}

function hitOf(line: string): GrepHit | undefined {
  let told: unknown;
  try {
    told = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObj(told) || told.type !== 'match' || !isObj(told.data)) return undefined;
  const { path: file, line_number: number, lines } = told.data;
  const name: unknown = file?.text;
  const text: unknown = lines?.text;
  if (typeof name !== 'string' || typeof number !== 'number' || typeof text !== 'string') return undefined;
  return { path: name.replace(/^\.[\\/]/, '').replaceAll('\\', '/'), line_number: number, line: shown(text) };
}

async function byScan({ folder, includes, most, signal }: GrepOptions, pattern: RegExp): Promise<GrepResult> {
  const until = Date.now() + LIMIT_MS;
  const hits: GrepHit[] = [];
  const { files } = await scan(folder, includes);
  const anywhere = new RegExp(pattern.source, 'imu');
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE);
    const texts = await Promise.all(some.map((f) => readFile(path.join(folder, f.path), 'utf8').catch(() => '')));
    for (const [i, text] of texts.entries()) {
      if (Date.now() > until || signal?.aborted === true) return { hits, truncated: true };
      // Most files hold no match, and one look at the whole is much faster than one at each line.
      if (text.length < LONG && !anywhere.test(text)) continue;
      for (const [n, line] of text.split('\n').entries()) {
        // A pattern that takes for ever on a long line is bounded by the length of what it sees.
        if (!pattern.test(line.slice(0, LONG))) continue;
        if (hits.length >= most) return { hits, truncated: true };
        hits.push({ path: some[i]?.path ?? '', line_number: n + 1, line: shown(line) });
      }
    }
  }
  return { hits, truncated: false };
}

function shown(line: string): string {
  const text = line.replace(/\r?\n$/, '');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
