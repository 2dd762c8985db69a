import type { Daemon } from './home.js';
import { isObj } from './message.js';
import { readBody, send } from './wire.js';

const PROBE_MS = 5000;

/** `passing`: a daemon that is starting or going; it takes no calls, yet no other may be started beside it. */
export type Liveness = 'alive' | 'passing' | 'dead';

/** Asks the status endpoint, the one open route, whether the recorded daemon answers there: the same pid, not a stranger. */
export function probe(daemon: Daemon): Promise<Liveness> {
  return new Promise((settle) => {
    // The token stays out: on this port may be a stranger.
    const { request } = send(
      { ...daemon, token: '' },
      { method: 'GET', path: '/api/v1/daemon/status', headers: { Accept: 'application/json' }, own: true },
      (response) =>
        readBody(
          response,
          (body) => settle(response.statusCode === 200 ? judge(body, daemon.pid) : 'dead'),
          () => settle('dead'),
        ),
      () => settle('dead'),
    );
    const timer = setTimeout(() => request.destroy(), PROBE_MS);
    request.on('close', () => clearTimeout(timer));
  });
}

function judge(body: Buffer, pid: number): Liveness {
  try {
    const status: unknown = JSON.parse(body.toString('utf8'));
    if (!isObj(status) || status.pid !== pid) return 'dead';
    return status.status === 'starting' || status.status === 'draining' ? 'passing' : 'alive';
  } catch {
    return 'dead';
  }
}
