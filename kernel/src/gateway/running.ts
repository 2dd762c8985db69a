/** Runs a call that has a target: admitted, sent, journalled. */
import type { Hooks } from '../hooks.js';
import type { Clock, Logger } from '../plugin/contract.js';
import { fault, RoutedExchange } from './exchange.js';
import type { Exchange, Outcome } from './seam.js';
import type { Standing } from './standings.js';
import type { CallInfo, InvocationStatus } from './types.js';

export interface Runner {
  run: (s: Standing, call: CallInfo, x: Exchange, send: (x: Exchange) => Promise<Outcome>) => Promise<Outcome>;
}

export function createRunner({ hooks, clock, log }: { hooks: Hooks; clock: Clock; log: Logger }): Runner {
  const journal = (
    call: Omit<CallInfo, 'method'>,
    from: number,
    started: string,
    rounds: number,
    status: InvocationStatus,
    error: string | null,
  ): void => {
    hooks.gateway.invoked.call({
      timestamp: started,
      server: call.server,
      ref: call.ref,
      type: call.type,
      key: call.key,
      durationMs: performance.now() - from,
      status,
      error,
      sessionId: call.session.id,
      agent: call.session.agent,
      rounds,
    });
  };

  /** Runs one call that has a target: admitted, sent, journalled. */
  const run = async (
    s: Standing,
    call: CallInfo,
    x: Exchange,
    send: (x: Exchange) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const from = performance.now();
    const started = new Date(clock.now()).toISOString();
    const refusal = hooks.gateway.admit.call(call);
    if (refusal !== undefined) {
      journal(call, from, started, 0, 'denied', refusal.message);
      return { kind: 'fault', fault: refusal };
    }
    const routed = new RoutedExchange(x, call.server);
    s.calls++;
    let outcome: Outcome;
    try {
      outcome = await send(routed);
    } catch (e) {
      log.error('a source threw where it should have answered', {
        server: call.server,
        stack: e instanceof Error ? e.stack : String(e),
      });
      outcome = fault(
        'INTERNAL',
        `${call.server} could not be called: something failed inside Coffer. The daemon log has the trace.`,
      );
    }
    s.calls--;
    if (outcome.kind !== 'input') {
      const [status, error] = verdict(outcome);
      journal(call, from, started, routed.rounds_, status, error);
    }
    return outcome;
  };

  return { run };
}

function verdict(o: Outcome): [InvocationStatus, string | null] {
  switch (o.kind) {
    case 'result':
      // A cheap look first: a big result is not parsed for this alone.
      return o.result.mayHold('"isError":') && o.result.value['isError'] === true
        ? ['error', 'the tool answered with an error']
        : ['ok', null];
    case 'error':
      return ['error', `JSON-RPC error ${o.error.code}`];
    case 'fault':
      return [
        o.fault.name === 'TIMEOUT'
          ? 'timeout'
          : o.fault.name === 'DISABLED'
            ? 'denied'
            : o.fault.name === 'CANCELLED'
              ? 'cancelled'
              : 'error',
        o.fault.message,
      ];
    // The row says that it was begun; what becomes of it is between the client and the server.
    case 'task':
    case 'input':
      return ['ok', null];
  }
}
