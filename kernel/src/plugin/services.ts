/** Services that plugins offer each other, and those who use one only while it is there. */
import { CofferError } from '../errors.js';
import type { ServiceToken } from './contract.js';

interface Offer {
  plugin: string;
  service: unknown;
}
interface Follower {
  plugin: string;
  token: string;
  use: (service: unknown) => (() => void) | void;
  /** What it holds now, and how it lets go of it. */
  held?: { offer: Offer; release: (() => void) | void };
}

export interface ServiceRegistry {
  /** Throws PLUGIN_CONFLICT when another plugin provides it. */
  provide(plugin: string, token: string, service: unknown): void;
  get(token: string): Offer | undefined;
  follow<T>(plugin: string, token: ServiceToken<T>, use: (service: T) => (() => void) | void): void;
  /** Hands out what came. Called once plugins have registered, so that nobody gets a service of a plugin that then fails. */
  settle(): void;
  /** A plugin is gone: what it offered is taken from those who hold it, and it follows no more. */
  retract(plugin: string): void;
}

export function createServiceRegistry(failed: (plugin: string, where: string, e: unknown) => void): ServiceRegistry {
  const offers = new Map<string, Offer>();
  const followers = new Set<Follower>();

  const guarded = <T>(f: Follower, work: () => T): T | undefined => {
    try {
      return work();
    } catch (e) {
      failed(f.plugin, `service ${f.token}`, e);
      return undefined;
    }
  };
  const release = (f: Follower): void => {
    const held = f.held;
    if (held === undefined) return;
    delete f.held;
    guarded(f, () => held.release?.());
  };

  return {
    provide(plugin, token, service) {
      const known = offers.get(token);
      if (known !== undefined)
        throw new CofferError('PLUGIN_CONFLICT', `Service ${token} is provided already by ${known.plugin}.`);
      offers.set(token, { plugin, service });
    },
    get: (token) => offers.get(token),
    follow(plugin, token, use) {
      // The token carries the type that provide() was held to.
      followers.add({ plugin, token: token.name, use: use as Follower['use'] });
    },
    settle() {
      for (const f of followers) {
        const offer = offers.get(f.token);
        if (offer === undefined || offer === f.held?.offer) continue;
        release(f);
        // Before it is used: one that throws is not tried again and again.
        const held: NonNullable<Follower['held']> = { offer, release: undefined };
        f.held = held;
        held.release = guarded(f, () => f.use(offer.service));
      }
    },
    retract(plugin) {
      for (const f of followers) {
        if (f.plugin !== plugin && f.held?.offer.plugin !== plugin) continue;
        release(f);
        if (f.plugin === plugin) followers.delete(f);
      }
      for (const [token, offer] of offers) if (offer.plugin === plugin) offers.delete(token);
    },
  };
}
