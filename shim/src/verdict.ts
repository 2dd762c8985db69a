import type { End } from './attempt.js';
import { isRepeatable, type Line } from './message.js';

const WENT_AWAY =
  'The Coffer daemon went away during the call. The call may or may not have run, and it was not repeated; check before calling again.';

/** What is known when a line did not get through. */
export interface Failed {
  line: Line;
  end: End;
  /** It was sent again once already after a lost connection. */
  resent: boolean;
  /** Attempts left. */
  left: number;
  /** The daemon itself gave the answer, not a stranger on its old port. */
  genuine: boolean;
}

/**
 * Why a line is not sent again, in plain words for the client; nothing when it may be. A line with effects is sent again only
 * when it surely did not run: nobody took the connection, or the answer was a refusal.
 */
export function whyNotAgain({ line, end, resent, left, genuine }: Failed): string | undefined {
  if (end.how === 'lost' && !isRepeatable(line)) return WENT_AWAY;
  if (end.how === 'lost' && (end.begun || resent)) return 'The Coffer daemon went away before its answer was complete.';
  if (end.how === 'bad' && genuine) return `The Coffer daemon gave no MCP answer (${end.said}).`;
  if (isPassing(line) && !(end.how === 'refused' && end.status === 401)) return 'The receiver of this message is gone.';
  return left > 1 ? undefined : 'The Coffer daemon could not be reached again.';
}

/** Lines that only mean something to a call or question under way, which a lost session has ended. */
const isPassing = (line: Line): boolean =>
  line.kind === 'answer' || line.method === 'notifications/cancelled' || line.method === 'notifications/progress';
