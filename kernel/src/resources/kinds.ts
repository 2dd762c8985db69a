/** The kinds that are defined right now. A kind of a plugin that is gone leaves its resources behind, listed as unknown kind. */
import { CofferError } from '../errors.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { compile } from './validate.js';
import type { KindDefinition } from './types.js';

export interface DefinedKind extends KindDefinition {
  readonly plugin: string;
  readonly validate: ValidateFunction;
}

export interface Kinds {
  /** Throws PLUGIN_CONFLICT for a kind that exists, PLUGIN_INVALID for a definition that cannot work. */
  define(plugin: string, kind: KindDefinition): void;
  undefine(plugin: string): void;
  get(kind: string): DefinedKind | undefined;
  /** Throws UNKNOWN_KIND. */
  require(kind: string): DefinedKind;
  list(): DefinedKind[];
}

export function createKinds(): Kinds {
  const kinds = new Map<string, DefinedKind>();
  return {
    define(plugin, kind) {
      if (!/^[a-z][a-z0-9_]{0,63}$/.test(kind.kind))
        throw new CofferError(
          'PLUGIN_INVALID',
          `Kind names are lower case letters, digits and underscores; plugin ${plugin} has another one.`,
        );
      const other = kinds.get(kind.kind);
      if (other !== undefined)
        throw new CofferError(
          'PLUGIN_CONFLICT',
          `Kind ${kind.kind} is already defined by plugin ${other.plugin}. Remove or disable one of the two.`,
        );
      let validate: ValidateFunction;
      try {
        validate = compile(kind.schema);
      } catch (e) {
        throw new CofferError(
          'PLUGIN_INVALID',
          `The schema of kind ${kind.kind} is no JSON Schema: ${e instanceof Error ? e.message : 'unknown fault'}`,
          {},
          { cause: e },
        );
      }
      kinds.set(kind.kind, { ...kind, plugin, validate });
    },
    undefine(plugin) {
      for (const [name, k] of kinds) if (k.plugin === plugin) kinds.delete(name);
    },
    get: (kind) => kinds.get(kind),
    require(kind) {
      const k = kinds.get(kind);
      if (k === undefined)
        throw new CofferError(
          'UNKNOWN_KIND',
          `There is no kind of that name. Kinds: ${[...kinds.keys()].join(', ') || 'none'}. See: coffer kinds`,
        );
      return k;
    },
    list: () => [...kinds.values()],
  };
}
