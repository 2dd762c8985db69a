/** Kernels and folders that a test makes and need not clean up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definePlugin, type Kernel, type Plugin, type PluginDefinition } from '../../src/plugin/contract.js';
import { createTestKernel, type TestKernel, type TestKernelOptions } from '../../src/testing/index.js';

/** A plugin from its register function. */
export function plugin(name: string, register: (k: Kernel) => void, more: Partial<PluginDefinition> = {}): Plugin {
  return definePlugin({ name, apiVersion: 1, register, ...more });
}

export interface Workshop {
  kernel(options?: TestKernelOptions): Promise<TestKernel>;
  folder(): string;
}

/** Call inside describe: everything is stopped and removed after each test. */
export function workshop(): Workshop {
  const ends: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return {
    async kernel(options = {}) {
      const k = await createTestKernel(options);
      ends.push(() => k.stop({ keep: options.home !== undefined }));
      return k;
    },
    folder() {
      const dir = mkdtempSync(path.join(tmpdir(), 'coffer-test-'));
      ends.push(() => rmSync(dir, { recursive: true, force: true }));
      return dir;
    },
  };
}

/** Turns of the event loop until something holds. */
export async function until(what: string, holds: () => boolean, ms = 5000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
