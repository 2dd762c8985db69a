import { CofferError, isObj, type Obj, type ResourceDraft } from '@coffer/kernel';

/** What well-known tokens look like, anywhere in a value; a plain word never matches. Kept in step with docs/security.md. */
const TOKENS: readonly RegExp[] = [
  /\bbearer\s+(?!\$\{)(?:(?=\S*\d)\S{6,}|\S{16,})/i,
  /\bbasic\s+[A-Za-z0-9+/]{8,}={0,2}(?![\w-])/i,
  /(?<![A-Za-z0-9])(?:gh[oprsu]_|github_pat_|glpat-)\w{4,}/,
  /(?<![A-Za-z0-9-])sk-(?=[\w-]*\d)[\w-]{6,}/,
  /(?<![A-Za-z0-9-])xox[a-z]-[\w-]{4,}/,
  /(?<![A-Za-z0-9])A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])/,
  /(?<![A-Za-z0-9])AIza[\w-]{30,}/,
  /(?<![A-Za-z0-9])eyJ[\w-]{15,}/,
  // a password in an address
  /\b[a-z][\w+.-]*:\/\/[^\s/:@]*:(?!\$\{)[^\s/@]+@/i,
];
const SECRET_NAME =
  /(secret|token|passw|passphrase|api[-_]?key|apikey|private[-_]?key|access[-_]?key|credential|^authorization$|^cookie$|[-_]auth$|[-_]key$)/i;
/** Names that speak of secrets and hold a setting: where a secret is found, how long it lasts, how many there may be. */
const SETTING_NAME =
  /[-_](file|path|dir|url|uri|endpoint|name|id|type|ttl|expiry|limit|count|length)$|^max[-_]|tokeni[sz]|tokens$/i;
/** Shorter than this, a plain value under a secret name is a switch or a placeholder. */
const SECRET_LENGTH = 8;

/** Does the value hold what looks like a token? */
export function looksSecret(value: string): boolean {
  return TOKENS.some((t) => t.test(value));
}

/** By its name a value is likely a secret, whatever it looks like. */
export function namesSecret(key: string): boolean {
  return SECRET_NAME.test(key);
}

/** A plain value under a name that says secret: refused, while a variable (`${VAR}`), a path or an address is no secret itself. */
function plainSecret(key: string, value: string): boolean {
  return (
    namesSecret(key) &&
    !SETTING_NAME.test(key) &&
    value.length >= SECRET_LENGTH &&
    !value.includes('${') &&
    !/^(https?:\/\/|~?\/|[A-Za-z]:\\)/.test(value)
  );
}

/** Where among the arguments of a program a secret stands: its index, or undefined. */
function secretArgument(args: readonly string[]): number | undefined {
  const at = args.findIndex((arg, i) => {
    if (looksSecret(arg) || (/^https?:/i.test(arg) && URL.canParse(arg) && secretInUrl(arg) !== undefined)) return true;
    const [, flag = '', value = ''] = /^-{0,2}([\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (plainSecret(flag, value)) return true;
    const before = /^--?([\w-]+)$/.exec(args[i - 1] ?? '')?.[1];
    return before !== undefined && !arg.startsWith('-') && plainSecret(before, arg);
  });
  return at < 0 ? undefined : at;
}

/** Which part of an address holds a secret, in words. */
function secretInUrl(text: string): string | undefined {
  const url = new URL(text);
  for (const [key, value] of url.searchParams)
    if (looksSecret(value) || plainSecret(key, value) || (/^(key|auth|sig|signature)$/i.test(key) && value.length >= 8))
      return `a secret in the query (${key})`;
  return looksSecret(text) || looksSecret(decoded(text)) ? 'what looks like a token or a password' : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A secret that stands where none may be, and how to give it instead; no value in it. */
export interface MisplacedSecret {
  path: string;
  message: string;
}

/** Secrets in the arguments or the address: those cannot be filled from a credential. */
export function secretInPlain(t: Obj): MisplacedSecret | undefined {
  if (t.type === 'http') {
    const found = typeof t.url === 'string' && URL.canParse(t.url) ? secretInUrl(t.url) : undefined;
    if (found === undefined) return undefined;
    return {
      path: 'transport.url',
      message: `transport.url holds ${found}. Take it out, store it with coffer credentials set REF, and send it as a header from that credential: --credential Authorization=REF`,
    };
  }
  const args: unknown[] = Array.isArray(t.args) ? t.args : [];
  const at = secretArgument(args.map(String));
  if (at === undefined) return undefined;
  return {
    path: `transport.args.${at}`,
    message: `transport.args[${at}] looks like a secret, and arguments are seen by every program of this machine. Take it out, store it with coffer credentials set REF, and give it as a variable that the server reads: --credential VARIABLE=REF. A program that takes it only as an argument can be run as: sh -c 'exec PROGRAM "$VARIABLE"'`,
  };
}

/** Refuses a config that would keep a secret in plain sight. Throws CONFIG_INVALID; never quotes a value. */
export function refuseSecrets(draft: ResourceDraft): void {
  const t: unknown = draft.config.transport;
  if (!isObj(t)) return;
  const [field, values] = t.type === 'http' ? (['headers', t.headers] as const) : (['env', t.env] as const);
  for (const [key, value] of Object.entries(isObj(values) ? values : {})) {
    const where = `transport.${field}.${key}`;
    if (isObj(t.credential_refs) && key in t.credential_refs)
      throw new CofferError(
        'CONFIG_INVALID',
        `${key} is in transport.${field} and in transport.credential_refs; keep one of them`,
        { path: where },
      );
    if (typeof value === 'string' && (looksSecret(value) || plainSecret(key, value))) {
      const ref = `mcp/${draft.name}/${key.replace(/[^\w.-]/g, '-')}`;
      throw new CofferError(
        'CONFIG_INVALID',
        `${where} looks like a secret. Store it with: coffer credentials set ${ref}, leave it out of ${field}, and name it in transport.credential_refs as ${key}: ${ref} (--credential ${key}=${ref})`,
        { path: where },
      );
    }
  }
  if (t.type === 'http') refuseBadAddress(t);
  const misplaced = secretInPlain(t);
  if (misplaced !== undefined) throw new CofferError('CONFIG_INVALID', misplaced.message, { path: misplaced.path });
}

function refuseBadAddress(t: Obj): void {
  const invalid = (message: string): CofferError =>
    new CofferError('CONFIG_INVALID', message, { path: 'transport.url' });
  if (typeof t.url !== 'string' || !URL.canParse(t.url))
    throw invalid('transport.url is not an address; it should look like https://example.com/mcp');
  const url = new URL(t.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid('transport.url: only http and https addresses work, such as https://example.com/mcp');
  if (url.username !== '' || url.password !== '')
    throw invalid(
      'transport.url holds a user name or password. Take it out and give an Authorization header from a credential (transport.credential_refs)',
    );
}
