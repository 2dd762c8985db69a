import { CofferError, isObj, type KindDefinition, type Obj } from '@coffer/kernel';
import { KIND } from './config.js';
import { schema } from './schema.js';

/** MCP servers as resources. */
export const mcpServerKind: KindDefinition = {
  kind: KIND,
  label: { one: 'MCP server', many: 'MCP servers' },
  schema,
  scopeAxes: ['machine', 'agent'],
  deletion: 'restorable',
  credentialRefs: (config) =>
    isObj(config.transport) && isObj(config.transport.credential_refs)
      ? Object.values<string>(config.transport.credential_refs)
      : [],
  redact,
  nameRule,
};

/** Names stay, values go: a plain value may turn out to be a secret after all. */
function redact(config: Obj): Obj {
  if (!isObj(config.transport)) return config;
  const { env, headers, ...transport } = config.transport;
  const names = (values: unknown): string[] => (isObj(values) ? Object.keys(values) : []);
  return {
    ...config,
    transport: {
      ...transport,
      ...(env !== undefined && { env: names(env) }),
      ...(headers !== undefined && { headers: names(headers) }),
    },
  };
}

/** The wire name is `<server>__<tool>`; these rules keep it one to one. Throws CONFIG_INVALID. */
function nameRule(name: string): void {
  const wrong = name.includes('__')
    ? 'may not hold two underscores in a row, they stand between server and tool'
    : name.startsWith('_') || name.endsWith('_')
      ? 'may not start or end with an underscore'
      : name === 'coffer'
        ? 'coffer is taken by the built-in tools'
        : undefined;
  if (wrong !== undefined)
    throw new CofferError('CONFIG_INVALID', `The name of an MCP server ${wrong}. Choose another name.`, {
      path: 'name',
    });
}
