import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeDaemon } from './fake-daemon.js';
import { buildBundle, Shim } from './shim-process.js';

export interface Bench {
  daemon: FakeDaemon;
  /** Starts a shim that ends with the test. */
  shim(args?: string[], env?: Record<string, string>): Shim;
  later(clean: () => void | Promise<void>): void;
}

let built = false;

/** A fresh vault with a running stand-in daemon for each test of the suite. */
export function bench(): Bench {
  const cleaners: (() => void | Promise<void>)[] = [];
  const it: Bench = {
    daemon: undefined as unknown as FakeDaemon, // set before each test
    shim(args, env) {
      const shim = new Shim(it.daemon.home, args, env);
      cleaners.push(() => shim.kill());
      return shim;
    },
    later: (clean) => void cleaners.push(clean),
  };
  before(() => {
    if (!built) buildBundle();
    built = true;
  });
  beforeEach(async () => {
    const home = mkdtempSync(join(tmpdir(), 'coffer-shim-'));
    it.daemon = new FakeDaemon(home);
    await it.daemon.start();
    cleaners.push(async () => {
      await it.daemon.stop();
      rmSync(home, { recursive: true, force: true });
    });
  });
  afterEach(async () => {
    for (const clean of cleaners.splice(0).reverse()) await clean();
  });
  return it;
}
