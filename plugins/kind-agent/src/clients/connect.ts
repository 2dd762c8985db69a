/** Coffer's entry in the settings of a client: put in, taken out byte for byte, and shown before. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CofferError, type Actor, type ForeignChange, type Kernel } from '@coffer/kernel';
import { valueAt } from '../edit/document.js';
import { shimLaunch } from '../launch.js';
import { entryOf, OWN } from '../mcp/own-entry.js';
import type { Own, Place, Settings } from '../settings.js';
import { lineDiff } from './line-diff.js';
import { CLIENTS, type Client, type Machine } from './known.js';

const GROUP: Own = { what: 'client', wholly: true };

export interface ClientView {
  id: string;
  label: string;
  path: string;
  /** Its folder of settings is there. */
  found: boolean;
  connected: boolean;
  /** Why that cannot be told. */
  problem: string | null;
}
export interface Connected {
  path: string;
  /** Lines that came and went; empty when nothing had to change. */
  diff: string;
  written: boolean;
  /** What the person does next. */
  then: string;
}

export class Clients {
  constructor(
    private readonly kernel: Pick<Kernel, 'programs' | 'paths' | 'env' | 'audit'>,
    private readonly settings: Settings,
    /** Names of agents, which have commands of their own. */
    private readonly agents: () => readonly string[],
  ) {}

  list(): ClientView[] {
    return CLIENTS.map((c) => this.#view(c));
  }

  /** Throws CLIENT_NOT_FOUND, AGENT_UNSUPPORTED, AGENT_FILE_INVALID, FILE_CHANGED, FILE_READ_ONLY, FILE_UNREADABLE. */
  connect(id: string, dry: boolean, actor: Actor): Connected {
    const client = this.#find(id);
    const at = placeOf(client);
    const changes = [{ path: pathOf(client), value: entryOf(client, shimLaunch(this.kernel, id)) }];
    const done = dry ? this.settings.wouldPut(at, GROUP, changes) : this.settings.put(at, GROUP, changes);
    return this.#done('client_connected', client, done, dry, actor);
  }

  /** That it is not connected is no error. */
  disconnect(id: string, dry: boolean, actor: Actor): Connected {
    const client = this.#find(id);
    const at = placeOf(client);
    const paths = [pathOf(client)];
    const done = dry ? this.settings.wouldTakeBack(at, GROUP, paths) : this.settings.takeBack(at, GROUP, paths);
    return this.#done('client_disconnected', client, done, dry, actor);
  }

  #done(event_type: string, client: Client, done: ForeignChange, dry: boolean, actor: Actor): Connected {
    const written = !dry && done.before !== done.after;
    if (written) this.kernel.audit.write({ event_type, actor, details: { client: client.id, path: done.path } });
    return { path: done.path, diff: lineDiff(done.before, done.after), written, then: client.then };
  }

  #view(client: Client): ClientView {
    const at = placeOf(client);
    const base = { id: client.id, label: client.label, path: at.file, found: existsSync(path.dirname(at.file)) };
    try {
      const entry = valueAt(this.settings.read(at).value, pathOf(client));
      return { ...base, connected: entry !== undefined, problem: null };
    } catch (e) {
      if (!(e instanceof Error)) throw e;
      return { ...base, connected: false, problem: e.message };
    }
  }

  #find(id: string): Client {
    const found = CLIENTS.find((c) => c.id === id);
    if (found !== undefined) return found;
    throw new CofferError(
      'CLIENT_NOT_FOUND',
      this.agents().includes(id)
        ? `${id} is an agent, and Coffer does more for those: coffer agent add ${id.replaceAll('-', '_')}, then coffer agent mcp install ${id}`
        : `No such client. There are: ${CLIENTS.map((c) => c.id).join(', ')}. Anything else that speaks MCP can start coffer-mcp-shim by itself.`,
    );
  }
}

const placeOf = (client: Client): Place => ({ format: 'json', file: client.file(machine()) });
const pathOf = (client: Client): string[] => [...client.path, OWN];
const machine = (): Machine => ({ platform: process.platform, home: homedir(), appData: process.env['APPDATA'] });
