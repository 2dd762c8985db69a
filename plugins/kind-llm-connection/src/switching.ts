/** Which agent runs on what. Its own settings are written first; only when that went well, the choice stands. */
import { CofferError, type Actor, type Kernel, type Resource } from '@coffer/kernel';
import { configOf, KIND, type ConnectionConfig } from './config.js';
import type { Connections } from './connections.js';
import type { FileChange, ModelTarget, ProjectedConnection } from './services.js';
import type { Choice, Tables } from './tables.js';
import { fits, type TargetList } from './targets.js';

/** Null: the agent's own login. Models left out: as the agent likes. */
export interface Wish {
  connection: string | null;
  model?: string | null;
  fast_model?: string | null;
}
export interface Activation {
  activated: string[];
  /** Agents that the connection fits but that could not be switched, and why. */
  skipped: { agent: string; reason: string }[];
}

type Parts = {
  kernel: Pick<Kernel, 'audit' | 'resources' | 'clock' | 'emit' | 'credentials'>;
  tables: Tables;
  targets: TargetList;
  connections: Connections;
};

export class Switching {
  /** One at a time: two that write the same file would each keep half. */
  #last: Promise<unknown> = Promise.resolve();
  constructor(private readonly parts: Parts) {}

  /** What a switch would change in the agent's files. Throws as {@link choose}. */
  async preview(agent: string, wish: Wish): Promise<FileChange[]> {
    const target = this.parts.targets.get(agent);
    return target.preview(this.#projected(target, wish));
  }

  /** Throws LLM_AGENT_NOT_FOUND, RESOURCE_NOT_FOUND, LLM_INCOMPATIBLE, LLM_NOT_CONFIGURED, CREDENTIAL_MISSING, or what the agent's files forbid. */
  choose(agent: string, wish: Wish, actor: Actor): Promise<FileChange[]> {
    return this.#alone(() => this.#choose(agent, wish, actor));
  }

  /** Switches every agent that a connection fits. That none does is no error. Throws RESOURCE_NOT_FOUND, LLM_NOT_CONFIGURED. */
  activate(name: string, models: Omit<Wish, 'connection'>, actor: Actor): Promise<Activation> {
    return this.#alone(async () => {
      const config = configOf(this.#usable(name));
      const out: Activation = { activated: [], skipped: [] };
      for (const target of this.parts.targets.all().filter((t) => fits(t, config))) {
        try {
          await this.#choose(target.agent, { connection: name, ...models }, actor);
          out.activated.push(target.agent);
        } catch (e) {
          if (!(e instanceof Error)) throw e;
          out.skipped.push({ agent: target.agent, reason: e.message });
        }
      }
      return out;
    });
  }

  /** Runs a change of a connection; before it, the files of agents that run on it are written as they will have to be, and put back if it fails. */
  around<T>(name: string, config: ConnectionConfig, change: () => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      const { targets, tables } = this.parts;
      const users = targets.all().flatMap((target) => {
        const choice = tables.choice(target.agent);
        return choice?.connection === name ? [{ target, choice }] : [];
      });
      const unfit = users.find(({ target }) => !fits(target, config));
      if (unfit !== undefined) throw incompatible(name, unfit.target);
      const before = configOf(this.parts.connections.get(name));
      const done: typeof users = [];
      try {
        for (const user of users) {
          done.push(user);
          await user.target.apply(projection(name, config, user.choice));
        }
        return await change();
      } catch (e) {
        for (const { target, choice } of done.reverse()) await target.apply(projection(name, before, choice));
        throw e;
      }
    });
  }

  async #choose(agent: string, wish: Wish, actor: Actor): Promise<FileChange[]> {
    const { targets, tables, kernel } = this.parts;
    const target = targets.get(agent);
    const projected = this.#projected(target, wish);
    const before = tables.choice(agent);
    if (projected === null && before === undefined) return target.apply(null);
    const changes = await target.apply(projected);
    try {
      tables.choose(agent, projected && choiceOf(wish, kernel.clock.now()));
      kernel.audit.write({
        event_type: 'llm_switched',
        resource_kind: KIND,
        resource_name: wish.connection ?? before?.connection ?? null,
        actor,
        details: { agent, from: before?.connection ?? null, to: wish.connection, model: projected?.model ?? null },
      });
    } catch (e) {
      await target.apply(this.#formerly(target, before));
      throw e;
    }
    kernel.emit({ type: 'llm', agent, connection: wish.connection });
    return changes;
  }

  #formerly(target: ModelTarget, before: Choice | undefined): ProjectedConnection | null {
    return before === undefined ? null : this.#projected(target, before);
  }

  #projected(target: ModelTarget, wish: Wish): ProjectedConnection | null {
    if (wish.connection === null) return null;
    const config = configOf(this.#usable(wish.connection));
    if (!fits(target, config)) throw incompatible(wish.connection, target);
    return projection(wish.connection, config, wish);
  }

  /** There, switched on, and with a key. */
  #usable(name: string): Resource {
    this.parts.connections.resolve(name);
    return this.parts.connections.get(name);
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

function projection(name: string, config: ConnectionConfig, wish: Omit<Wish, 'connection'>): ProjectedConnection {
  const { protocol, base_url, wire_api } = config;
  return {
    name,
    protocol,
    base_url,
    ...(protocol !== 'anthropic' && protocol !== 'ollama' && { wire_api }),
    ...(wish.model != null && { model: wish.model }),
    ...(wish.fast_model != null && { fast_model: wish.fast_model }),
  };
}

function choiceOf(wish: Wish, now: number): Omit<Choice, 'agent'> {
  return {
    connection: wish.connection as string,
    model: wish.model ?? null,
    fast_model: wish.fast_model ?? null,
    since: new Date(now).toISOString(),
  };
}

function incompatible(name: string, target: ModelTarget): CofferError {
  return new CofferError(
    'LLM_INCOMPATIBLE',
    `${target.label} does not run on ${name}: it speaks ${target.protocols.join(' and ')}. If it can all the same: coffer llm update ${name} --agents ${target.type}`,
  );
}
