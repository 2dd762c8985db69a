/** An answer as it is drawn: text, notes, and runs of tools with their results beside them. Pure. */
import type { Block } from './types.js';

export interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** Absent while it runs. */
  result: { output: Record<string, unknown> | null; error: string | null; ms: number | null } | undefined;
}
export type Piece = { is: 'text' | 'thinking' | 'note'; text: string } | { is: 'tools'; calls: ToolCall[] };

export function piecesOf(blocks: readonly Block[]): Piece[] {
  const pieces: Piece[] = [];
  const calls = new Map<string, ToolCall>();
  for (const b of blocks) {
    if (b.type === 'tool_use') {
      const call: ToolCall = { id: b.tool_use_id, name: b.tool_name, input: b.tool_input, result: undefined };
      calls.set(call.id, call);
      const last = pieces.at(-1);
      if (last?.is === 'tools') last.calls.push(call);
      else pieces.push({ is: 'tools', calls: [call] });
    } else if (b.type === 'tool_result') {
      const call = calls.get(b.tool_use_id);
      if (call !== undefined) call.result = { output: b.output, error: b.error, ms: b.duration_ms };
    } else if (b.text !== '') pieces.push({ is: b.type, text: b.text });
  }
  return pieces;
}

export interface FileEdit {
  path: string;
  old: string;
  now: string;
}

/** The edits of files that a call speaks of, by what its input looks like: no tool is known by name. */
export function editsOf(input: Record<string, unknown>): FileEdit[] {
  const path = text(input['file_path']) ?? text(input['path']) ?? '';
  const pair = pairOf(input);
  if (pair !== undefined) return [{ path, ...pair }];
  if (Array.isArray(input['edits']))
    return input['edits'].flatMap((e: unknown) => {
      const one = isObj(e) ? pairOf(e) : undefined;
      return one === undefined ? [] : [{ path, ...one }];
    });
  if (Array.isArray(input['changes']))
    return input['changes'].flatMap((c: unknown) => {
      const patch = isObj(c) ? text(c['diff']) : undefined;
      return patch === undefined
        ? []
        : [{ path: text((c as Record<string, unknown>)['path']) ?? '', ...sidesOf(patch) }];
    });
  const content = text(input['content']);
  return path !== '' && content !== undefined ? [{ path, old: '', now: content }] : [];
}

function pairOf(o: Record<string, unknown>): { old: string; now: string } | undefined {
  const [old, now] = [text(o['old_string']), text(o['new_string'])];
  return old === undefined || now === undefined ? undefined : { old, now };
}

/** Both sides of a unified diff; what is no diff is a new text. */
function sidesOf(patch: string): { old: string; now: string } {
  const lines = patch.split('\n').filter((l) => !/^(---|\+\+\+|diff |index |\\ )/.test(l));
  if (!lines.some((l) => l.startsWith('@@'))) return { old: '', now: patch };
  const body = lines.filter((l) => !l.startsWith('@@'));
  const side = (sign: string): string =>
    body
      .filter((l) => l === '' || l.startsWith(' ') || l.startsWith(sign))
      .map((l) => l.slice(1))
      .join('\n');
  return { old: side('-'), now: side('+') };
}

/** The one thing that tells this call from others of its kind. */
export function argumentOf(input: Record<string, unknown>): string {
  for (const key of ['description', 'command', 'file_path', 'path', 'pattern', 'query', 'url', 'name', 'prompt']) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.every((v) => typeof v === 'string')) return value.join(' ');
  }
  const first = Object.values(input).find((v) => typeof v === 'string' && v !== '');
  if (typeof first === 'string') return first;
  const edits = editsOf(input);
  return edits.map((e) => e.path).join(', ');
}

/** A result as people read it: its text where it has one, else JSON. */
export function resultText(output: Record<string, unknown> | null): { text: string; json: boolean } {
  if (output === null || Object.keys(output).length === 0) return { text: '', json: false };
  const { content } = output;
  if (typeof content === 'string') return { text: content, json: false };
  if (Array.isArray(content)) {
    const parts = content.map((c: unknown) => (isObj(c) ? text(c['text']) : undefined));
    if (parts.length > 0 && parts.every((p) => p !== undefined)) return { text: parts.join('\n'), json: false };
  }
  return { text: JSON.stringify(output, null, 2), json: true };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
function isObj(v: unknown): v is Record<string, unknown> {
  return typeof v === 'object' && v !== null && !Array.isArray(v);
}
