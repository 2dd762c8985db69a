/**
 * Are the schemas of plugins JSON Schema at all? Compiling finds gross faults when a kind or tool is defined; the meta-schema finds the
 * rest, and costs more than all else that a start does. So at the start it is asked right after the daemon is ready, later at once.
 */
import { CofferError } from '../errors.js';
import type { JsonSchema } from '../json.js';
import { schemaFault } from './validate.js';

export interface SchemaCheck {
  /** Throws PLUGIN_INVALID, or remembers the schema for {@link SchemaCheck.catchUp}. */
  look(plugin: string, what: string, schema: JsonSchema): void;
  /** Looks at everything remembered; from now on each at once. */
  catchUp(failed: (plugin: string, what: string, error: CofferError) => void): void;
}

export function createSchemaCheck(): SchemaCheck {
  let waiting: { plugin: string; what: string; schema: JsonSchema }[] | undefined = [];
  const fault = (what: string, schema: JsonSchema): CofferError | undefined => {
    const why = schemaFault(schema);
    return why === undefined
      ? undefined
      : new CofferError('PLUGIN_INVALID', `The schema of ${what} is no JSON Schema: ${why}`);
  };
  return {
    look(plugin, what, schema) {
      if (waiting !== undefined) return void waiting.push({ plugin, what, schema });
      const error = fault(what, schema);
      if (error !== undefined) throw error;
    },
    catchUp(failed) {
      const all = waiting ?? [];
      waiting = undefined;
      for (const { plugin, what, schema } of all) {
        const error = fault(what, schema);
        if (error !== undefined) failed(plugin, what, error);
      }
    },
  };
}
