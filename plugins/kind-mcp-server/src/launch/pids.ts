import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isObj } from '@coffer/kernel';
import { endGroup } from './group.js';

/** A process of ours, so that the next daemon can end it when this one dies without a word. */
export interface PidRecord {
  server: string;
  pid: number;
  command_line: string[];
  spawned_at: string;
}

export function pidFile(folder: string, server: string, pid: number): string {
  return path.join(folder, `${server}-${pid}.json`);
}

export function writePid(folder: string, record: PidRecord): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = pidFile(folder, record.server, record.pid);
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(record), { mode: 0o600 });
  renameSync(temporary, file);
}

export function removePid(folder: string, server: string, pid: number): void {
  rmSync(pidFile(folder, server, pid), { force: true });
}

/** What a live process was started as; undefined when there is none, or none that we may look at. */
export function commandLine(pid: number): string[] | undefined {
  try {
    if (process.platform === 'linux') {
      const parts = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .filter((p) => p !== '');
      return parts.length > 0 ? parts : undefined;
    }
    if (process.platform === 'win32') return undefined;
    const line = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 2000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return line === '' ? undefined : [line];
  } catch {
    return undefined;
  }
}

/**
 * Ends what an earlier daemon left running: each recorded process that still has the recorded command line, with its group. A
 * pid that now belongs to another program only loses its file. Returns the records of what was ended.
 */
export async function sweepOrphans(folder: string): Promise<PidRecord[]> {
  const ended: PidRecord[] = [];
  const files = list(folder);
  await Promise.all(
    files.map(async (name) => {
      const file = path.join(folder, name);
      const record = read(file);
      if (record !== undefined && commandLine(record.pid)?.join(' ') === record.command_line.join(' ')) {
        await endGroup(record.pid);
        ended.push(record);
      }
      rmSync(file, { force: true });
    }),
  );
  return ended;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined for a file that was cut short or that is not ours. */
function read(file: string): PidRecord | undefined {
  try {
    const r: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const fits =
      isObj(r) && Number.isInteger(r.pid) && r.pid > 1 && Array.isArray(r.command_line) && r.command_line.length > 0;
    return fits ? (r as unknown as PidRecord) : undefined;
  } catch {
    return undefined;
  }
}
