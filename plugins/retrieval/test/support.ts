import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { definePlugin, serviceToken } from '@coffer/kernel';
import { createTestKernel, type TestKernel } from '@coffer/kernel/testing';
import plugin from '../src/plugin.js';
import type { Retrieval, Store, StoreDefinition } from '../src/types.js';

/** A kernel with the plugin, and folders that go with it. */
export interface Bench {
  k: TestKernel;
  retrieval: Retrieval;
  folder: string;
  store(more?: Partial<StoreDefinition>): Store;
  write(at: string, text: string | Buffer): void;
  remove(at: string): void;
  stop(): Promise<void>;
}

export async function openBench(options: { home?: string } = {}): Promise<Bench> {
  let retrieval: Retrieval | undefined;
  const user = definePlugin({
    name: 'user-of-retrieval',
    apiVersion: 1,
    requires: ['retrieval'],
    register(kernel) {
      retrieval = kernel.use(serviceToken<Retrieval>('retrieval'));
    },
  });
  const k = await createTestKernel({ plugins: [plugin, user], ...options });
  if (retrieval === undefined) throw new Error('the service was not provided');
  const service = retrieval;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-store-'));
  return {
    k,
    retrieval: service,
    folder,
    store: (more = {}) => service.store({ id: 'test/one', folder, ...more }),
    write(at, text) {
      const file = path.join(folder, at);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    remove: (at) => rmSync(path.join(folder, at), { recursive: true }),
    async stop() {
      await k.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
