import type { ServerResponse } from 'node:http';
import type { Fault } from '../seam.js';

const GONE: Fault = { name: 'CANCELLED', message: 'The client hung up' };

/** Did the client of a request go before its answer? An AbortSignal of it is made where one is needed: most calls do without. */
export class HangUp {
  gone = false;
  #listener: (() => void) | undefined;
  #signal: AbortController | undefined;

  constructor(res: ServerResponse) {
    res.on('close', () => {
      if (res.writableFinished) return;
      this.gone = true;
      this.#signal?.abort(GONE);
      this.#listener?.();
    });
  }

  get signal(): AbortSignal {
    this.#signal ??= new AbortController();
    if (this.gone) this.#signal.abort(GONE);
    return this.#signal.signal;
  }

  /** At once when it has gone already. There is one listener: the call that the request carries. */
  tell(listener: () => void): void {
    if (this.gone) listener();
    else this.#listener = listener;
  }
}
