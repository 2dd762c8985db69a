/** What one daemon serves: the token and its rotation, all routes, the listening socket. */
import { randomBytes } from 'node:crypto';
import type http from 'node:http';
import type { Services } from '../container.js';
import { credentialRoutes } from '../credentials/api.js';
import { gatewayRoutes } from '../gateway/api.js';
import { buildApp, type MountedRoute } from '../http/app.js';
import { daemonRoutes } from '../http/daemon-api.js';
import { openapi } from '../http/openapi.js';
import { createServer, listen, type Handler } from '../http/server.js';
import { createUi, type UiFolder } from '../http/ui.js';
import { journalRoutes } from '../journal/api.js';
import type { Obj } from '../json.js';
import { pluginRoutes } from '../plugin/api.js';
import { uiDirOf } from '../plugin/ui.js';
import { VERSION, uiFolder } from '../product.js';
import { resourceRoutes } from '../resources/api.js';
import { machineRoutes } from '../scope/api.js';
import { vaultRoutes } from '../vault/api.js';
import { TREES } from '../vault/backup.js';
import { writeDiscovery } from '../vault/discovery.js';
import type { Plugins } from './plugins.js';

export interface Site {
  readonly token: string;
  readonly port: number;
  /** Routes, agents and what clients see are made anew after a plugin came or went. */
  refresh(plugins: Plugins): void;
  /** Opens the port and writes `daemon.json`. */
  open(first: number): Promise<void>;
  close(): Promise<void>;
}

interface Parts {
  services: Services;
  startedAt: string;
  binaryPath: string;
  status: () => Obj;
  stop: () => void;
  restart: () => void;
}

export function createSite({ services: s, startedAt, binaryPath, status, stop, restart }: Parts): Site {
  let token = randomBytes(32).toString('base64url');
  let port = 0;
  let modules: UiFolder = () => undefined;
  let rest: Handler = (_req, res: http.ServerResponse) => res.writeHead(503).end();

  const announce = (bearer: string): void =>
    writeDiscovery(s.paths.discovery, {
      version: 1,
      pid: process.pid,
      port,
      token: bearer,
      started_at: startedAt,
      binary_path: binaryPath,
    });
  const trees = (): string[] => {
    const all = new Set(TREES);
    s.hooks.backup.trees.call({ add: (folder) => void all.add(folder) });
    return [...all];
  };

  /** Plugins first: a kind's own route may be more exact than a general one. */
  const routes = (plugins: Plugins): MountedRoute[] => {
    const byHook: MountedRoute[] = [];
    s.hooks.http.routes.call({ add: (list) => void byHook.push(...list.map((r) => ({ ...r, plugin: 'hook' }))) });
    const own = [
      ...daemonRoutes(
        {
          status,
          shutdown: () => void setImmediate(stop),
          restart: () => void setImmediate(restart),
          rotateToken({ actor }) {
            const fresh = randomBytes(32).toString('base64url');
            announce(fresh);
            token = fresh;
            s.logins.clear();
            s.audit.write({ event_type: 'token_rotated', actor });
            return fresh;
          },
          issueLogin() {
            const code = s.logins.issue();
            return { code, url: `http://127.0.0.1:${port}/#login=${code}` };
          },
          describe: () => openapi(routes(plugins), VERSION),
        },
        s.live,
      ),
      ...resourceRoutes(s.resources, s.kinds),
      ...credentialRoutes(s.credentials, s.citedBy),
      ...journalRoutes(s.audit, s.invocations, s.retention),
      ...machineRoutes(s.machines, s.audit),
      ...pluginRoutes(plugins.host, plugins.installer),
      ...gatewayRoutes(s.gateway, s.core.standings),
      ...vaultRoutes(s.paths, s.db, s.audit, trees, VERSION),
    ];
    return [...plugins.declared.routes, ...byHook, ...own.map((r) => ({ ...r, plugin: 'kernel' }))];
  };

  const server = createServer({
    keys: { token: () => token, session: (id) => s.logins.alive(id) },
    open: (method, path) => method === 'GET' && path === '/daemon/status',
    mcp: (req, res) => s.endpoint.handle(req, res),
    rest: () => rest,
    ui: createUi(uiFolder(), s.logins, (name) => modules(name)),
  });

  return {
    get token() {
      return token;
    },
    get port() {
      return port;
    },
    refresh(plugins) {
      modules = (name) => uiDirOf(plugins.host.records.get(name));
      rest = buildApp(routes(plugins), s.log.logger, (plugin, e) => {
        if (plugin !== 'kernel') plugins.host.report(plugin, 'a route', e);
      });
      s.agents.clear();
      s.hooks.agents.register.call(s.agents);
      s.core.changed();
      s.live.emit({ type: 'plugin' });
    },
    async open(first) {
      port = await listen(server, first);
      announce(token);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
