/** Keys of connections. One that came with the connection is its own: kept as `llm/<name>/key`, and gone with it. */
import { CofferError, isCofferError, type Actor, type Kernel } from '@coffer/kernel';

const OWN = 'llm';

export interface Secrets {
  /** Stores a key and says under which ref. What stands there already is not overwritten. */
  keep(name: string, value: string, actor: Actor): string;
  /** Puts another value under a ref, or under a new one where the ref is not the connection's own. */
  rotate(name: string, ref: string | null, value: string, actor: Actor): string;
  /** Removes a ref that is the connection's own, unless something else cites it. */
  drop(name: string, ref: string | null, actor: Actor): void;
}

export function createSecrets({ credentials }: Pick<Kernel, 'credentials'>): Secrets {
  const own = (name: string, ref: string | null): ref is string => ref?.startsWith(`${OWN}/${name}/`) === true;
  const keep: Secrets['keep'] = (name, value, actor) => {
    for (let n = 1; ; n++) {
      const ref = `${OWN}/${name}/key${n === 1 ? '' : `-${n}`}`;
      if (credentials.has(ref)) continue;
      credentials.set(ref, value, actor);
      return ref;
    }
  };
  return {
    keep,
    rotate(name, ref, value, actor) {
      // A shared credential may open other doors as well: only one's own is replaced.
      if (!own(name, ref)) return keep(name, value, actor);
      credentials.set(ref, value, actor);
      return ref;
    },
    drop(name, ref, actor) {
      if (!own(name, ref) || !credentials.has(ref)) return;
      try {
        credentials.remove(ref, actor);
      } catch (e) {
        if (isCofferError(e) && e.code === 'CREDENTIAL_IN_USE') return;
        throw e;
      }
    },
  };
}

/** A key as it was pasted, without the spaces and line ends around it. Throws CONFIG_INVALID for what no header can carry. */
export function cleanKey(value: string): string {
  const key = value.trim();
  if (key === '' || !/^[\x21-\x7e]+$/.test(key))
    throw new CofferError('CONFIG_INVALID', 'A key is one word of ordinary letters, digits and signs.', {
      path: '/secret_value',
    });
  return key;
}
