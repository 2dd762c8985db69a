/** Signing in: a one-time code from the address or from the person's hands, exchanged for a cookie that scripts cannot read. */
import { ApiError, navigate } from '../kit/index.js';

const hearers = new Set<() => void>();

export function onSignedIn(hear: () => void): void {
  hearers.add(hear);
}

/** Throws {@link ApiError} for a code that is used or too old. */
export async function signIn(code: string): Promise<void> {
  const res = await fetch('/login', { method: 'POST', body: JSON.stringify({ code }) });
  if (!res.ok) {
    const { error } = (await res.json()) as { error: { code: string; message: string } };
    throw new ApiError(error.code, error.message, res.status);
  }
  for (const hear of hearers) hear();
}

/** The event of the window when the session has ended. */
export const SIGNED_OUT = 'coffer-signed-out';

const BACK = 'coffer.back';

/** Where the person was when the session ended; the address that `coffer open` prints leads to Home. */
export function rememberPlace(): void {
  const here = location.pathname + location.search;
  if (here !== '/') sessionStorage.setItem(BACK, here);
}

/** Goes back there, once; only from Home, since another address was asked for by itself. */
export function returnToPlace(): void {
  const back = sessionStorage.getItem(BACK);
  sessionStorage.removeItem(BACK);
  if (back !== null && location.pathname === '/' && location.search === '') navigate(back, { replace: true });
}

/** Empties the fields of secrets under a node: what is typed there is kept nowhere, not even beneath the login. */
export function forgetSecrets(root: ParentNode): void {
  for (const field of root.querySelectorAll<HTMLInputElement>('input[type=password]')) field.value = '';
  for (const element of root.querySelectorAll('*')) if (element.shadowRoot !== null) forgetSecrets(element.shadowRoot);
}

/** The code in the address, which is taken out of it at once. */
export function codeInAddress(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('login') ?? undefined;
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Does the cookie still open the door? An absent answer says nothing against it. */
export async function stands(): Promise<boolean> {
  try {
    return (await fetch('/api/v1/kinds')).status !== 401;
  } catch {
    return true;
  }
}
