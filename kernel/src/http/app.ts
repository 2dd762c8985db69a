/** The REST side as a Koa app: trace, error envelope, routes with schemas. The gate has already let the request in. */
import Router from '@koa/router';
import Koa from 'koa';
import type { ServerResponse } from 'node:http';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { CofferError, className, isCofferError } from '../errors.js';
import { isObj, type Obj } from '../json.js';
import type { Logger } from '../plugin/contract.js';
import { ACTORS, type Actor } from '../resources/types.js';
import { check, compile } from '../resources/validate.js';
import { readBody } from './body.js';
import { writeEvents } from './sse.js';
import type { Route, RouteRequest } from './route.js';

/** Bytes of a REST body. */
export const REST_LIMIT = 8 * 1_048_576;
export const BASE = '/api/v1';

export interface MountedRoute extends Route {
  readonly plugin: string;
}

/** Builds a new app; called again when a plugin comes or goes, since @koa/router cannot take a route away. */
export function buildApp(
  routes: readonly MountedRoute[],
  log: Logger,
  report: (plugin: string, error: unknown) => void,
): ReturnType<Koa['callback']> {
  const app = new Koa();
  // Koa prints what it hears here when nobody listens: sockets that broke under an answer.
  app.on('error', (e: unknown) => log.debug('a connection broke', { error: className(e) }));
  const router = new Router({ prefix: BASE });
  for (const route of routes) {
    const handle = handler(route);
    try {
      router.register(route.path, [route.method], async (ctx) => {
        try {
          await handle(ctx);
        } catch (e) {
          const full = unwritableDatabase(e);
          if (full !== undefined) throw full;
          if (!isCofferError(e)) report(route.plugin, e);
          throw e;
        }
      });
    } catch (e) {
      // A path that is none costs its plugin this route, not the daemon all of them.
      report(route.plugin, e);
    }
  }
  app.use(async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false)
        throw new CofferError(
          'NOT_FOUND',
          `There is nothing at this address. ${BASE}/openapi.json lists what there is.`,
        );
    } catch (e) {
      const error = isCofferError(e)
        ? e
        : new CofferError(
            'INTERNAL_ERROR',
            'Something failed inside Coffer. The daemon log has the trace of this request.',
          );
      if (!isCofferError(e))
        log.error('request failed', {
          trace: traceOf(ctx.res),
          method: ctx.method,
          path: ctx.path,
          error: className(e),
          stack: e instanceof Error ? e.stack : undefined,
        });
      if (ctx.headerSent) return void ctx.res.destroy();
      ctx.status = error.status;
      ctx.body = { error: { code: error.code, message: error.message, details: error.details } };
    }
  });
  app.use(router.routes());
  app.use(
    router.allowedMethods({
      throw: true,
      methodNotAllowed: () => new CofferError('METHOD_NOT_ALLOWED', 'This address does not take this method.'),
      notImplemented: () => new CofferError('METHOD_NOT_ALLOWED', 'Coffer does not know this method.'),
    }),
  );
  return app.callback();
}

function handler(route: MountedRoute): (ctx: Koa.Context) => Promise<void> {
  // Compiled on first use: most of the hundred schemas are not needed to start.
  let query: ValidateFunction | undefined;
  let body: ValidateFunction | undefined;
  return async (ctx) => {
    const gone = new AbortController();
    ctx.res.on('close', () => gone.abort());
    const queryValues: Obj = { ...ctx.query };
    // What a browser says when it reconnects to a stream by itself.
    const last = ctx.get('Last-Event-ID');
    if (route.stream === true && last !== '' && isObj(route.query?.['properties']?.['last_event_id']))
      queryValues['last_event_id'] ??= last;
    if (route.query !== undefined)
      check((query ??= compile(route.query, 'query')), queryValues, 'BAD_REQUEST', 'The query');
    let bodyValue: Obj = {};
    if (route.body !== undefined) {
      bodyValue = parse(await readBody(ctx.req, route.bodyLimit ?? REST_LIMIT));
      check((body ??= compile(route.body)), bodyValue, 'CONFIG_INVALID', 'The request');
    }
    const request: RouteRequest = {
      // The router fills in params; Koa's own types do not know.
      params: (ctx as unknown as { params: Record<string, string> }).params,
      query: queryValues,
      body: bodyValue,
      actor: actorOf(ctx.get('X-Coffer-Actor')),
      trace: traceOf(ctx.res),
      signal: gone.signal,
    };
    const answer = await route.handle(request);
    if (route.stream === true) {
      ctx.respond = false;
      await writeEvents(ctx.res, answer as AsyncIterable<never>, gone.signal);
      return;
    }
    ctx.status = route.status ?? (route.response === undefined ? 204 : 200);
    if (route.response === undefined) ctx.body = null;
    else ctx.body = answer;
    if (route.response === undefined) ctx.status = route.status ?? 204;
  };
}

/** A full disk or a read-only folder is nobody's fault inside: the person can mend it, so it is said. */
function unwritableDatabase(e: unknown): CofferError | undefined {
  const code = (e as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string' || !/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code)) return undefined;
  const why = code === 'SQLITE_FULL' ? 'the disk is full' : `the system refuses (${code})`;
  return new CofferError(
    'VAULT_UNWRITABLE',
    `The vault cannot be written: ${why}. Free some space or make it writable, then try again.`,
    {},
    { cause: e },
  );
}

/** Given to every answer by the server; also in the log line of a request that failed. */
function traceOf(res: ServerResponse): string {
  return String(res.getHeader('X-Coffer-Trace') ?? '');
}

function parse(bytes: Buffer): Obj {
  let value: unknown;
  try {
    value = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new CofferError('BAD_REQUEST', 'The body is not JSON.');
  }
  if (!isObj(value)) throw new CofferError('BAD_REQUEST', 'The body must be a JSON object.');
  return value;
}

function actorOf(header: string): Actor {
  if (header === '') return 'api';
  const actor = ACTORS.find((a) => a === header);
  if (actor === undefined) throw new CofferError('BAD_REQUEST', `X-Coffer-Actor must be one of ${ACTORS.join(', ')}.`);
  return actor;
}
