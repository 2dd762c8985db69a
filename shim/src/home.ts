import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isObj } from './message.js';

/** The vault's folder, absolute: `COFFER_HOME`, else `~/.coffer`. */
export const home = resolve(process.env.COFFER_HOME || join(homedir(), '.coffer'));

/** A daemon as its discovery file names it. */
export interface Daemon {
  pid: number;
  port: number;
  token: string;
  startedAt: string;
  binaryPath?: string;
}

/** Reads `daemon.json`; nothing when it is missing or unfit. That it is there does not mean that the daemon is. */
export function readDaemonFile(): Daemon | undefined {
  try {
    const file: unknown = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'));
    if (!isObj(file) || typeof file.token !== 'string' || typeof file.pid !== 'number') return undefined;
    const { port } = file;
    if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65535) return undefined;
    const daemon: Daemon = { pid: file.pid, port, token: file.token, startedAt: String(file.started_at) };
    if (typeof file.binary_path === 'string') daemon.binaryPath = file.binary_path;
    return daemon;
  } catch {
    return undefined;
  }
}

/** Whether both name the same run of a daemon: its token may have been rotated, its sessions are still there. */
export const sameRun = (a: Daemon, b: Daemon): boolean =>
  a.pid === b.pid && a.port === b.port && a.startedAt === b.startedAt;
