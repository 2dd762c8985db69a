import { Failure } from './failure.js';

/** Is there a desktop on which a browser would show? */
export function hasDesktop(env = process.env): boolean {
  if (env.CI || env.SSH_CONNECTION) return false;
  return process.platform === 'darwin' || process.platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Opens a browser; false where there is no desktop. */
export async function openBrowser(url: string): Promise<boolean> {
  if (!hasDesktop()) return false;
  const { default: open } = await import('open');
  try {
    const child = await open(url);
    // A launcher that cannot be started says so later, when nobody listens any more.
    child.on('error', () => undefined);
    return true;
  } catch {
    throw new Failure('NOT_FOUND', 'no browser could be started. Print the address instead: coffer open --print');
  }
}
