/** Finds the secret values of an imported configuration in its own text, since the daemon's preview never tells them. */
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';

/** Imports nothing of the kernel: the pages of the web UI use it too. */
// any: fields of a foreign configuration are looked at one by one
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Obj = Record<string, any>;
type Environment = Readonly<Record<string, string | undefined>>;
const isObj = (v: unknown): v is Obj => typeof v === 'object' && v !== null && !Array.isArray(v);

/**
 * The value of a secret, with the variables it names filled in; undefined when the text holds none or names a variable that is not
 * set.
 */
export function secretValue(
  text: string,
  server: { name: string },
  secret: { key: string; where: 'env' | 'headers'; variable?: string },
  env: Environment,
): string | undefined {
  return secretOf(entryOf(text, server.name), secret, env);
}

/** The same of an entry that was read already. */
export function secretOf(
  entry: Obj | undefined,
  secret: { key: string; where: 'env' | 'headers'; variable?: string },
  env: Environment,
): string | undefined {
  const values = secret.where === 'env' ? [entry?.env] : [entry?.headers, entry?.http_headers];
  const named = secret.variable === undefined ? undefined : `\${${secret.variable}}`;
  const bearer =
    entry?.bearer_token_env_var !== undefined &&
    entry.bearer_token_env_var === secret.variable &&
    secret.key === 'Authorization';
  const raw =
    values
      .filter(isObj)
      .map((v) => v[secret.key] as unknown)
      .find((v) => v !== undefined) ?? (bearer ? `Bearer ${named}` : named);
  if (raw === undefined || raw === '') return undefined;
  let missing = false;
  const filled = String(raw).replace(
    /\$\{(?:env:|input:)?([\w-]+)(?::-([^}]*))?\}/g,
    (_all, name: string, fallback?: string) => {
      const value = env[name] ?? fallback;
      missing ||= value === undefined;
      return value ?? '';
    },
  );
  return missing ? undefined : filled;
}

/** Variables that the text names and that are set here: the daemon may have been started without them. */
export function namedVariables(text: string, env: Environment): Record<string, string> {
  const names = [...text.matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)/g)].map((m) => m[1] as string); // the group is not optional
  return Object.fromEntries(names.flatMap((n) => (env[n] === undefined ? [] : [[n, env[n]]])));
}

function entryOf(text: string, name: string): Obj | undefined {
  const root: unknown = /^\s*[{/]/.test(text.replace(/^\uFEFF/, ''))
    ? parseJsonc(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })
    : parseToml(text);
  if (!isObj(root)) return undefined;
  const servers: unknown = [root.mcpServers, root.mcp_servers, root.servers, root.mcp?.servers, root.mcp, root].find(
    isObj,
  );
  if (!isObj(servers)) return undefined;
  const found = servers[name] ?? Object.entries(servers).find(([key]) => loose(key) === loose(name))?.[1];
  return isObj(found) ? found : undefined;
}

/** Names lose what does not fit on import; compared by their letters and digits they still match. */
const loose = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
