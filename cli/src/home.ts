import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The vault's folder: `COFFER_HOME`, else `~/.coffer`. */
export const home = (): string => resolve(process.env.COFFER_HOME || join(homedir(), '.coffer'));

/** A daemon as `daemon.json` names it; that the file is there does not mean that the daemon is. */
export interface Recorded {
  pid: number;
  port: number;
  token: string;
  binaryPath: string;
}

/**
 * Reads `daemon.json` by itself: the kernel's reader would load the database driver, which costs more than most commands.
 * Undefined for a missing, damaged or unfit file.
 */
export function recorded(): Recorded | undefined {
  try {
    const file = JSON.parse(readFileSync(join(home(), 'daemon.json'), 'utf8')) as Record<string, unknown>;
    const { pid, port, token, binary_path } = file;
    if (!Number.isInteger(pid) || (pid as number) < 1 || !Number.isInteger(port) || typeof token !== 'string') return;
    if ((port as number) < 1 || (port as number) > 65535) return;
    return {
      pid: pid as number,
      port: port as number,
      token,
      binaryPath: typeof binary_path === 'string' ? binary_path : '',
    };
  } catch {
    return;
  }
}
