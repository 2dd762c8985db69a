/** A first contact: which era does the server speak? Asked with `server/discover`, since a list could mean either. */
import type { Clock, Exchange, Facts } from '@coffer/kernel';
import { Attempt } from './attempt.js';
import type { Connection, ConnectionEvents, Terms, Transport } from './connection.js';
import { Doorway } from './doorway.js';
import { openLegacy } from './legacy.js';
import { Modern } from './modern.js';

/** How long a server may be silent before the older handshake is tried. */
export const PROBE_MS = 3000;

export interface Surroundings {
  terms: Terms;
  clock: Clock;
  events: ConnectionEvents;
  /** The first call. */
  x: Exchange;
}

type Looked = { facts: Facts } | { failed: unknown };
type Shaken = { connection: Connection } | { failed: unknown };

/** The newer era or nothing. Throws a CofferError; the transport is closed then. */
export async function openModern(transport: Transport, s: Surroundings): Promise<Connection> {
  const attempt = new Attempt(s.events);
  const modern = new Modern(transport, s.terms, s.clock, attempt, s.x);
  try {
    await transport.open(modern);
    modern.accept(await modern.discover());
  } catch (e) {
    await modern.close();
    throw e;
  }
  attempt.take();
  return modern;
}

/** The same, but given up after a short silence. Undefined: not of the newer era, or it does not say. */
export async function lookForModern(transport: Transport, s: Surroundings): Promise<Connection | undefined> {
  const terms = { ...s.terms, spawnMs: PROBE_MS };
  return openModern(transport, { ...s, terms }).catch(() => undefined);
}

/**
 * A program, of whichever era. Any answer but a sound one to the discovery, and silence, is followed by the older handshake in the
 * same process; a process that ends is started again with that. A program that was only slow to start still shows its era: it
 * answers the discovery first.
 */
export async function openProgram(start: () => Transport, s: Surroundings): Promise<Connection> {
  const attempt = new Attempt(s.events);
  const door = new Doorway(start());
  const entrance = door.lease();
  entrance.own();
  const modern = new Modern(entrance, s.terms, s.clock, attempt, s.x);
  try {
    await entrance.open(modern);
  } catch (e) {
    await modern.close();
    throw e;
  }
  const take = (facts: Facts): Connection => {
    door.settle(modern);
    modern.accept(facts);
    attempt.take();
    return modern;
  };
  const looked: Promise<Looked> = modern.discover().then(
    (facts) => ({ facts }),
    (failed: unknown) => ({ failed }),
  );
  const first = await inTime(looked, s.clock);
  if (first !== undefined && 'facts' in first) return take(first.facts);
  const anew = (): Promise<Connection> => openLegacy(start(), s.terms, s.clock, s.events, s.x);
  if (door.lost !== undefined) return anew();

  const older = new Attempt(s.events);
  const lease = door.lease();
  const terms = first === undefined ? { ...s.terms, spentMs: PROBE_MS } : s.terms;
  const shaken: Promise<Shaken> = openLegacy(lease, terms, s.clock, older, s.x).then(
    (connection) => ({ connection }),
    (failed: unknown) => ({ failed }),
  );
  // What comes first decides, but a refusal leaves the other question open.
  const facts = looked.then((l): Promise<Looked | Shaken> => ('facts' in l ? looked : shaken));
  let late: Looked | Shaken = await Promise.race<Looked | Shaken>([shaken, facts]);
  if ('failed' in late && door.lost === undefined) {
    const last = await looked;
    if ('facts' in last) late = last;
  }
  if ('facts' in late) {
    const staying = take(late.facts);
    void shaken.then((l) => ('connection' in l ? l.connection.close() : undefined));
    return staying;
  }
  if ('connection' in late) {
    lease.own();
    door.settle();
    modern.abandon();
    older.take();
    return late.connection;
  }
  const { lost } = door;
  await modern.close();
  if (lost !== undefined) return anew();
  throw late.failed;
}

function inTime<T>(what: Promise<T>, clock: Clock): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve(undefined), PROBE_MS);
    void what.then((value) => {
      timer.clear();
      resolve(value);
    });
  });
}
