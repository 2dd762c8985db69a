/** What a server's process gets to see of the daemon's environment: a list of names, never the whole. */

const POSIX = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'LANG',
  'TZ',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];
const WINDOWS = [
  ...[
    'PATH',
    'PATHEXT',
    'SYSTEMROOT',
    'SYSTEMDRIVE',
    'WINDIR',
    'COMSPEC',
    'TEMP',
    'TMP',
    'APPDATA',
    'LOCALAPPDATA',
    'PROGRAMDATA',
  ],
  ...[
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'USERPROFILE',
    'USERNAME',
    'HOMEDRIVE',
    'HOMEPATH',
    'NUMBER_OF_PROCESSORS',
    'PROCESSOR_ARCHITECTURE',
  ],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];
const PREFIXES = ['LC_', 'XDG_'];
const PROXY = /^(https?|no|all)_proxy$/i;

export type Environment = Record<string, string>;

/**
 * The environment of a server's process.
 * @param own the server's own variables (configured and from credentials); they win.
 * @param path the PATH to search and to hand on.
 */
export function childEnvironment(
  daemon: NodeJS.ProcessEnv,
  path: string,
  own: Environment,
  platform: NodeJS.Platform = process.platform,
): Environment {
  const windows = platform === 'win32';
  const names = new Set(windows ? WINDOWS : POSIX);
  const out: Environment = {};
  for (const [name, value] of Object.entries(daemon)) {
    if (value === undefined) continue;
    const known = windows ? name.toUpperCase() : name;
    if (names.has(known) || PROXY.test(name) || PREFIXES.some((p) => known.startsWith(p))) out[name] = value;
  }
  const pathName = windows ? (Object.keys(out).find((n) => n.toUpperCase() === 'PATH') ?? 'Path') : 'PATH';
  out[pathName] = path;
  return { ...out, ...own };
}
