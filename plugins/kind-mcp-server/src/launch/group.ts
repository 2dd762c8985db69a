import { spawn } from 'node:child_process';

const GRACE_MS = 2000;
const LOOK_MS = 25;

/** Is anything of this process group alive? */
export function groupLives(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    // Windows has no groups; taskkill knows the tree.
    spawn('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}

/** Waits until the group is gone; false when it is not within `ms`. */
export async function groupEnds(pid: number, ms = GRACE_MS): Promise<boolean> {
  for (let waited = 0; groupLives(pid); waited += LOOK_MS) {
    if (waited >= ms) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return true;
}

/** SIGTERM to the group, 2 s, SIGKILL. */
export async function endGroup(pid: number): Promise<void> {
  if (!groupLives(pid)) return;
  signalGroup(pid, 'SIGTERM');
  if (await groupEnds(pid)) return;
  signalGroup(pid, 'SIGKILL');
  await groupEnds(pid);
}
