import { existsSync, readFileSync } from 'node:fs';
import { start, stopTree, waitPort, homeEnv, path } from './_util.mjs';

// Servers are registered beforehand, untimed, as a user would once; the daemon then runs as our child.
const ROOT = path.resolve(new URL('../../', import.meta.url).pathname);
const MAIN = path.join(ROOT, 'kernel/dist/main.js');
const SHIM = path.join(ROOT, 'shim/dist/coffer-mcp-shim.cjs');
const envOf = (dir, port) => ({ ...homeEnv(dir), COFFER_HOME: dir + '/home/.coffer', COFFER_PORT: String(port) });

async function daemon(dir, port) {
  const env = envOf(dir, port);
  const child = start('node', [MAIN], { env, log: dir + '/log' });
  await waitPort(port, 30000, child);
  const file = env.COFFER_HOME + '/daemon.json';
  for (let i = 0; !existsSync(file) && i < 500; i++) await new Promise((r) => setTimeout(r, 5));
  return { child, env, token: JSON.parse(readFileSync(file, 'utf8')).token };
}

export default {
  name: 'coffer',
  version: () => JSON.parse(readFileSync(ROOT + '/package.json', 'utf8')).version,
  aggregates: true,
  search: {
    async find(c, query, k) {
      const r = await c.request('tools/call', { name: 'coffer__search_tools', arguments: { query, top_k: k } });
      return r.structuredContent.tools.map((t) => t.name.replace('__', '/'));
    },
  },
  async prepare({ upstreams, dir, port }) {
    const { child, token } = await daemon(dir, port);
    for (const { name, command, args, env = {} } of upstreams) {
      const config = { transport: { type: 'stdio', command, args, env } };
      const res = await fetch(`http://127.0.0.1:${port}/api/v1/resources`, {
        method: 'POST',
        headers: { 'X-Coffer-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ kind: 'mcp_server', name, config }),
      });
      if (res.status !== 201) throw new Error(await res.text());
    }
    await stopTree(child);
  },
  async start(o) {
    if (!o.prepared) await this.prepare(o);
    const { child, env, token } = await daemon(o.dir, o.port);
    return {
      child,
      url: `http://127.0.0.1:${o.port}/mcp`,
      headers: { 'X-Coffer-Token': token },
      toolName: (s, t) => `${s}__${t}`,
      stdio: { command: 'node', args: [SHIM], env },
      stop: () => stopTree(child),
    };
  },
};
