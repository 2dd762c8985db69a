/** One request to an endpoint, and what went wrong in words for a person. Nothing of the key is ever in them. */
import { isObj, type Obj } from '@coffer/kernel';

/** An endpoint as far as asking it goes; it need not be stored. */
export interface Endpoint {
  base_url: string;
  key?: string | undefined;
}

export interface Ask {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: Obj;
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds until it is given up. */
  timeout: number;
}

/** Why an endpoint did not do what was asked, as a sentence. `status` is 0 when there was no answer. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status = 0,
  ) {
    super(message);
  }
}

/** Bytes of an answer that are read. A list of models is far below. */
const MAX_ANSWER = 4 * 1_048_576;
/** Characters of an endpoint's own words that are passed on. */
const MAX_SAID = 300;

/** The JSON object it answered with. Throws {@link Refusal}. */
export async function ask({ method, url, headers = {}, body, key, signal, timeout }: Ask): Promise<Obj> {
  const limit = AbortSignal.timeout(timeout);
  const signals = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    const answer = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      // A key must not follow to wherever a redirect leads.
      redirect: 'manual',
      signal: signals,
    });
    return understood(answer.status, answer.headers, await textOf(answer), key);
  } catch (e) {
    if (e instanceof Refusal) throw e;
    if (limit.aborted) throw new Refusal(`It did not answer within ${Math.round(timeout / 1000)} s.`);
    if (signal?.aborted === true) throw new Refusal('It was not waited for.');
    throw new Refusal(unreachable(e, new URL(url)));
  }
}

async function textOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // The DOM's type of a body does not know that Node's can be iterated.
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MAX_ANSWER) throw new Refusal('It answers with more than 4 MiB, which is no answer to that question.');
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function understood(status: number, headers: Headers, text: string, key: string | undefined): Obj {
  const json = parsed(text);
  const said = saidBy(json, key);
  const because = said === '' ? '' : ` It says: ${said}`;
  if (status >= 300 && status < 400)
    throw new Refusal(
      `It sends on to ${whereTo(headers.get('location'))}. Use the address that it really has.`,
      status,
    );
  if (status === 401 || status === 403) throw new Refusal(`It refuses the key (${status}).${because}`, status);
  if (status === 404) throw new Refusal(`It does not know that address or model (404).${because}`, status);
  if (status === 429)
    throw new Refusal(`It asks to wait: too many requests, or no credit left (429).${because}`, status);
  if (status >= 500) throw new Refusal(`It has a fault of its own (${status}).${because}`, status);
  if (status >= 400) throw new Refusal(`It refuses the request (${status}).${because}`, status);
  if (/^\s*</.test(text))
    throw new Refusal(
      'It answers with a web page instead of JSON: perhaps a login page, or the address lacks /v1.',
      status,
    );
  if (json === undefined)
    throw new Refusal('It answers, but not with a JSON object: this is no model endpoint.', status);
  return json;
}

function parsed(text: string): Obj | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObj(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** What an endpoint says is wrong, on one line, with whatever looks like a key taken out: some repeat it. */
export function saidBy(json: Obj | undefined, key: string | undefined): string {
  const error = json?.['error'];
  const words = [isObj(error) ? error['message'] : error, json?.['message'], json?.['detail']].find(
    (w): w is string => typeof w === 'string' && w !== '',
  );
  if (words === undefined) return '';
  const hidden = (key === undefined ? words : words.replaceAll(key, '…'))
    // As endpoints shorten keys: sk-proj-********abcd.
    .replace(/[^\s"'()[\]{}<>,;]*\*{3,}[^\s"'()[\]{}<>,;]*/g, '…')
    .replace(/\b(?:sk|pk|rk|key|token|api)[-_][A-Za-z0-9_-]{8,}/gi, '…')
    .replace(/\p{Cc}+|\s+/gu, ' ')
    .trim();
  return hidden.length > MAX_SAID ? `${hidden.slice(0, MAX_SAID)}…` : hidden;
}

function whereTo(location: string | null): string {
  try {
    const { protocol, host } = new URL(location ?? '');
    return `${protocol}//${host}`;
  } catch {
    return 'another address';
  }
}

function unreachable(e: unknown, { host, protocol }: URL): string {
  const cause = (e as { cause?: { code?: unknown } }).cause?.code;
  const code = typeof cause === 'string' ? cause : '';
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `There is no host ${host}, or no network.`;
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return `${host} hung up before it answered.`;
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `${host} shows a certificate that is not trusted (${code}).`;
  if (code.startsWith('HPE_')) return `What listens at ${host} does not speak ${protocol.replace(':', '')}.`;
  return `${host} could not be reached${code === '' ? '' : ` (${code})`}.`;
}
