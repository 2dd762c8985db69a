/**
 * "A page must be opened first" (-32042) for a client that cannot be told by that code: it gets the page as a question, and its
 * retry simply makes the call again. The state is not signed; forging it only makes the call again.
 */
import { isObj, type Exchange, type Obj, type Outcome, type RpcError } from '@coffer/kernel';

const AGAIN = 'coffer.again';
const URL_NEEDED = -32042;

export function pageNeeded(outcome: Outcome & { kind: 'error' }, x: Exchange): Outcome {
  const { code, data } = outcome.error;
  const pages: unknown = isObj(data) ? data.elicitations : undefined;
  if (code !== URL_NEEDED || !Array.isArray(pages) || pages.length === 0) return outcome;
  if (x.capabilities.elicitation?.url === undefined)
    return {
      kind: 'error',
      error: { code: -32603, message: 'This call needs a page to be opened, and the client cannot be asked to', data },
    };
  const requests: Record<string, { method: string; params: Obj }> = {};
  pages
    .filter(isObj)
    .forEach(
      ({ elicitationId: _, ...params }, i) => (requests[`u${i + 1}`] = { method: 'elicitation/create', params }),
    );
  return { kind: 'input', state: AGAIN, requests };
}

/** Undefined: the page was opened, make the call again. */
export function afterPage(retry: NonNullable<Exchange['retry']>): RpcError | undefined {
  if (retry.state !== AGAIN) return { code: -32602, message: 'Unknown requestState: make the call again without it' };
  const answers = Object.values(retry.responses ?? {});
  const opened = answers.length > 0 && answers.every((a) => isObj(a) && a.action === 'accept');
  return opened ? undefined : { code: -32603, message: 'The page this call needs was not opened' };
}
