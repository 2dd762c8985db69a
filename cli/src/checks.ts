/** The checks of `coffer doctor`: each looks at one thing and says what to do when it is not right. */
import { closeSync, existsSync, openSync, readSync, statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Obj } from '@coffer/kernel';
import { connect, statusOf } from './api.js';
import { shimOnPath } from './clients.js';
import { home, recorded } from './home.js';
import { shimScript } from './product.js';
import { bytes, clean, count } from './text.js';

export interface Check {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  message: string;
}

const ok = (name: string, message: string): Check => ({ name, state: 'ok', message });
const warn = (name: string, message: string): Check => ({ name, state: 'warn', message });
const fail = (name: string, message: string): Check => ({ name, state: 'fail', message });

const MIN_NODE: readonly [number, number] = [20, 19];
/** What a database of SQLite 3 begins with. */
const SQLITE = Buffer.from('SQLite format 3\0');
const LOW_DISK = 500 * 1_048_576;

/** All checks; those of the daemon's inside only when it runs. */
export async function runChecks(): Promise<Check[]> {
  const status = await daemonStatus();
  const checks = [
    node(),
    homeFolder(),
    privateFile('daemon.json'),
    vault(),
    masterKey(status !== undefined),
    disk(),
    daemon(status),
    ...port(status),
    shim(),
  ];
  return status === undefined ? checks : [...checks, ...(await inside())];
}

async function daemonStatus(): Promise<Obj | undefined> {
  const known = recorded();
  return known === undefined ? undefined : statusOf(known);
}

function node(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fits = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return fits
    ? ok('node', `Node.js ${process.versions.node}`)
    : fail('node', `Node.js ${process.versions.node} is too old: install 20.19 or newer.`);
}

const openToOthers = (path: string): boolean => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;

function homeFolder(): Check {
  const folder = home();
  if (!existsSync(folder)) return warn('home', `${folder} does not exist yet. Create it with: coffer up`);
  return openToOthers(folder)
    ? warn('home', `${folder} can be entered by other users. Close it: chmod 700 ${folder}`)
    : ok('home', folder);
}

function privateFile(name: string): Check {
  const file = join(home(), name);
  if (!existsSync(file)) return ok(name, 'not there, as it should be without a daemon');
  if (recorded() === undefined)
    return warn(name, `${file} is damaged. The next start replaces it: coffer daemon restart`);
  return openToOthers(file)
    ? fail(
        name,
        `${file} holds the token and can be read by other users. chmod 600 it, then: coffer daemon rotate-token`,
      )
    : ok(name, 'readable by you only');
}

/** By its first bytes alone: what is inside is the daemon's to read. */
function vault(): Check {
  const file = join(home(), 'coffer.db');
  if (!existsSync(file)) return ok('vault', 'made on the first start');
  const head = Buffer.alloc(SQLITE.length);
  try {
    const fd = openSync(file, 'r');
    readSync(fd, head);
    closeSync(fd);
  } catch {
    return fail('vault', `${file} cannot be read by you.`);
  }
  return head.equals(SQLITE)
    ? ok('vault', `coffer.db, ${bytes(statSync(file).size)}`)
    : fail('vault', `${file} is damaged or no Coffer vault. Restore a backup with: coffer restore SRC`);
}

function masterKey(running: boolean): Check {
  const file = join(home(), 'master.key');
  if (!existsSync(file)) {
    if (!existsSync(join(home(), 'coffer.db'))) return ok('master key', 'made on the first start');
    return running
      ? ok('master key', 'in the system keychain, or no credential is stored yet')
      : warn(
          'master key',
          `${file} is missing. That is right when it lives in the keychain; else put back your copy of it.`,
        );
  }
  return openToOthers(file)
    ? fail('master key', `${file} can be read by other users: chmod 600 ${file}`)
    : ok('master key', 'in master.key, readable by you only');
}

function disk(): Check {
  try {
    const { bavail, bsize } = statfsSync(existsSync(home()) ? home() : join(home(), '..'));
    const free = bavail * bsize;
    return free < LOW_DISK
      ? warn('disk', `only ${bytes(free)} are free where the vault is.`)
      : ok('disk', `${bytes(free)} free`);
  } catch {
    return warn('disk', 'the free space where the vault is cannot be read.');
  }
}

function daemon(status: Obj | undefined): Check {
  if (status !== undefined) return ok('daemon', `version ${status.version}, process ${status.pid}, ${status.status}`);
  return warn(
    'daemon',
    `not running${recorded() === undefined ? '' : ', its record is left over from an earlier run'}. Start it with: coffer up`,
  );
}

function port(status: Obj | undefined): Check[] {
  if (status === undefined) return [];
  const wanted = Number(process.env.COFFER_PORT || 7420);
  if (wanted === 0 || status.port === wanted) return [ok('port', `127.0.0.1:${status.port}`)];
  return [
    warn(
      'port',
      `127.0.0.1:${status.port}, since ${wanted} was taken at the start. Clients that use the shim do not mind.`,
    ),
  ];
}

function shim(): Check {
  if (!existsSync(shimScript())) return fail('shim', `${shimScript()} is missing. Build it with: npm run build`);
  const found = shimOnPath();
  return found === undefined
    ? warn('shim', 'coffer-mcp-shim is not on the PATH. Use the lines of coffer up, or put it there with: npm link')
    : ok('shim', found);
}

/** What only the daemon knows: plugins, servers, credentials. */
async function inside(): Promise<Check[]> {
  const api = await connect();
  const [{ plugins }, { resources }, { credentials }] = await Promise.all([
    api.get('/plugins'),
    api.get('/resources'),
    api.get('/credentials'),
  ]);
  const checks: Check[] = [];
  const bad = (plugins as Obj[]).filter((p) => p.state === 'failed' || p.state === 'degraded');
  for (const p of bad)
    checks.push(
      (p.state === 'failed' ? fail : warn)(
        'plugin',
        `${p.name} is ${p.state}: ${clean(p.note)} (coffer plugin show ${p.name})`,
      ),
    );
  if (bad.length === 0) checks.push(ok('plugins', `${count(plugins.length, 'plugin')}, none failed`));
  const sick = (resources as Obj[]).filter(
    (r) => r.enabled && (r.status.status === 'failing' || r.status.missing_runner),
  );
  for (const r of sick) {
    const { missing_runner: runner, reason } = r.status;
    const look = r.kind === 'mcp_server' ? `Try: coffer mcp test ${r.name}` : `See: coffer resource show ${r.ref}`;
    checks.push(
      warn(
        r.kind === 'mcp_server' ? 'server' : clean(r.kind),
        runner
          ? `${r.ref} needs ${clean(runner)}, which is not installed on this machine.`
          : `${r.ref} is failing${reason ? `: ${clean(reason)}` : ''}. ${look}`,
      ),
    );
  }
  if (sick.length === 0) checks.push(ok('resources', `${count(resources.length, 'resource')}, none failing`));
  const locked = (credentials as Obj[]).filter((c) => c.locked).map((c) => c.ref);
  checks.push(
    locked.length > 0
      ? fail(
          'credentials',
          `the master key does not open ${locked.join(', ')}. Put back the right master.key, or set them anew.`,
        )
      : ok('credentials', `${count(credentials.length, 'credential')}, all readable`),
  );
  return checks;
}
