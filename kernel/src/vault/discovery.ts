/** `daemon.json`: where the daemon is and how to be let in. Written by the daemon only, readable by its owner only. */
import { readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { isObj } from '../json.js';
import { writeAtomic } from './files.js';

export interface Discovery {
  version: 1;
  pid: number;
  port: number;
  token: string;
  /** ISO 8601. */
  started_at: string;
  /** The script that starts the daemon. */
  binary_path: string;
}

export function writeDiscovery(file: string, d: Discovery): void {
  writeAtomic(file, JSON.stringify(d, null, 2) + '\n', 0o600);
}

/** Undefined for a missing, damaged or foreign file: all mean "no daemon is known". */
export function readDiscovery(file: string): Discovery | undefined {
  try {
    const d: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObj(d)) return undefined;
    const port = d['port'] as unknown;
    const fits =
      Number.isInteger(d['pid']) &&
      Number.isInteger(port) &&
      (port as number) > 0 &&
      (port as number) < 65536 &&
      typeof d['token'] === 'string';
    return fits ? (d as unknown as Discovery) : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the file only while it still names this process. */
export function dropDiscovery(file: string, pid: number): void {
  if (readDiscovery(file)?.pid === pid) rmSync(file, { force: true });
}

/** Alive: the status endpoint on that port answers and names the same pid. A stranger on the port or a reused pid does not. */
export function isAlive(d: Discovery, timeoutMs = 2000): Promise<boolean> {
  return new Promise((resolve) => {
    const req = http.get(
      { host: '127.0.0.1', port: d.port, path: '/api/v1/daemon/status', timeout: timeoutMs, agent: false },
      (res) => {
        let body = '';
        res.setEncoding('utf8').on('data', (c: string) => {
          body += c;
          if (body.length > 65536) req.destroy();
        });
        res.on('end', () => {
          try {
            resolve(res.statusCode === 200 && (JSON.parse(body) as { pid?: number }).pid === d.pid);
          } catch {
            resolve(false);
          }
        });
      },
    );
    req
      .on('timeout', () => req.destroy())
      .on('error', () => resolve(false))
      .on('close', () => resolve(false));
  });
}
