import { CofferError, isObj, type Obj, type ResourceDraft } from '@coffer/kernel';

/** What well-known tokens look like; a plain word never matches. */
const TOKEN =
  /^(Bearer |Basic [A-Za-z0-9+/=]{8}|gh[opsu]_|github_pat_|glpat-|sk-|xox[abprs]-|AKIA[0-9A-Z]{16}|AIza[\w-]{30}|eyJ[A-Za-z0-9_-]{20})/;
const SECRET_NAME =
  /(secret|token|passw|api[-_]?key|apikey|private[-_]?key|access[-_]?key|credential|^authorization$|^cookie$|[-_]auth$|[-_]key$)/i;

export function looksSecret(value: string): boolean {
  return TOKEN.test(value.trim());
}

/** By its name a value is likely a secret, whatever it looks like. For proposals only: a name proves nothing. */
export function namesSecret(key: string): boolean {
  return SECRET_NAME.test(key);
}

/** Refuses a config that would keep a secret in plain sight. Throws CONFIG_INVALID; never quotes a value. */
export function refuseSecrets(draft: ResourceDraft): void {
  const t: unknown = draft.config.transport;
  if (!isObj(t)) return;
  const [field, values] = t.type === 'http' ? (['headers', t.headers] as const) : (['env', t.env] as const);
  for (const [key, value] of Object.entries(isObj(values) ? values : {})) {
    if (typeof value === 'string' && looksSecret(value)) {
      const where = `transport.${field}.${key}`;
      throw new CofferError(
        'CONFIG_INVALID',
        `${where} looks like a secret. Store it with: coffer credentials set mcp/${draft.name}/${key}, leave it out of ${field}, and name it in transport.credential_refs as ${key}: mcp/${draft.name}/${key}`,
        { path: where },
      );
    }
    if (isObj(t.credential_refs) && key in t.credential_refs)
      throw new CofferError(
        'CONFIG_INVALID',
        `${key} is in transport.${field} and in transport.credential_refs; keep one of them`,
        { path: `transport.${field}.${key}` },
      );
  }
  if (t.type === 'http') refuseBadAddress(t);
}

function refuseBadAddress(t: Obj): void {
  const invalid = (message: string): CofferError =>
    new CofferError('CONFIG_INVALID', message, { path: 'transport.url' });
  if (typeof t.url !== 'string' || !URL.canParse(t.url))
    throw invalid('transport.url is not an address; it should look like https://example.com/mcp');
  const url = new URL(t.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid('transport.url must start with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw invalid(
      'transport.url holds a user name or password. Take it out and give an Authorization header from a credential (transport.credential_refs)',
    );
}
