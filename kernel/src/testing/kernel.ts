import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Services } from '../container.js';
import { startDaemon } from '../daemon/daemon.js';
import { readEnv } from '../env.js';
import type { Keychain } from '../credentials/master-key.js';
import type { Clock, Plugin } from '../plugin/contract.js';
import type { Host } from '../plugin/host.js';

export interface TestKernelOptions {
  plugins?: readonly Plugin[];
  /** COFFER_* variables. */
  env?: Record<string, string>;
  clock?: Clock;
  keychain?: Keychain;
  /** A vault to open; else a fresh one that goes with {@link TestKernel.stop}. */
  home?: string;
  /** Folder of bundled plugins to discover; none by default. */
  bundled?: string;
}

/** A real daemon in this process: a vault in a temporary folder, a port of its own. */
export interface TestKernel {
  readonly home: string;
  readonly url: string;
  readonly token: string;
  readonly services: Services;
  readonly host: Host;
  /** REST with the token; answers status and parsed body. */
  rest(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: any }>; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into any shape
  /** Stops the daemon; `keep` leaves the vault for another start. */
  stop(options?: { keep?: boolean }): Promise<void>;
}

export async function createTestKernel(options: TestKernelOptions = {}): Promise<TestKernel> {
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'coffer-test-'));
  const daemon = await startDaemon({
    env: readEnv({
      COFFER_LOG_LEVEL: 'debug',
      ...options.env,
      COFFER_HOME: home,
      COFFER_PORT: options.env?.['COFFER_PORT'] ?? '0',
    }),
    bundled: options.bundled ?? null,
    plugins: options.plugins ?? [],
    keychain: options.keychain ?? noKeychain,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const url = `http://127.0.0.1:${daemon.port}`;
  return {
    home,
    url,
    get token() {
      return daemon.token;
    },
    services: daemon.services,
    host: daemon.host,
    async rest(method, at, body, headers = {}) {
      const res = await fetch(`${url}/api/v1${at}`, {
        method,
        headers: {
          'X-Coffer-Token': daemon.token,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await res.text();
      return {
        status: res.status,
        headers: res.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
    },
    async stop({ keep = false } = {}) {
      await daemon.stop();
      if (!keep) rmSync(home, { recursive: true, force: true });
    },
  };
}

const noKeychain: Keychain = {
  get: () => {
    throw new Error('no keychain in tests');
  },
  set: () => {
    throw new Error('no keychain in tests');
  },
  remove: () => undefined,
};

/** A keychain in memory. */
export function fakeKeychain(): Keychain & { stored: string | null } {
  const k = {
    stored: null as string | null,
    get: () => k.stored,
    set: (key: string) => void (k.stored = key),
    remove: () => void (k.stored = null),
  };
  return k;
}
