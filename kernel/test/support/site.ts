/** The web UI's static side alone, over a folder that a test fills. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { createLogins } from '../../src/http/logins.js';
import { createServer } from '../../src/http/server.js';
import { createUi, type UiFolder } from '../../src/http/ui.js';
import { fakeClock } from '../../src/testing/clock.js';
import type { Served } from './wire.js';

/** Files of a folder; the keys are paths in it. */
export function fill(dir: string, files: Readonly<Record<string, string | Buffer>>): string {
  for (const [file, text] of Object.entries(files)) {
    const at = path.join(dir, file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
  }
  return dir;
}

export interface StaticSite extends Served {
  close(): Promise<void>;
}

/** `folder` answers for plugins as the daemon's own does. */
export async function serve(dir: string, folder: UiFolder = () => undefined): Promise<StaticSite> {
  const nobody = (): void => undefined;
  const server = createServer({
    keys: { token: () => 'none', session: () => false },
    open: () => false,
    mcp: nobody,
    rest: () => nobody,
    ui: createUi(dir, createLogins(fakeClock()), folder),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token: 'none',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
