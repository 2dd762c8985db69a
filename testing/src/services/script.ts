/**
 * What a stand-in of a model service answers, by the words of the newest message, line by line:
 *   SHELL COMMAND · TOOL NAME JSON · THINK TEXT · SLOW N (words, one every 50 ms) · CUT (breaks off in the middle) · ERROR STATUS ·
 *   RECALL (what was said before) · anything else is said back. The answer to a tool's result repeats it.
 */
export interface Answer {
  status?: number;
  thinking?: string;
  text?: string;
  shell?: string;
  tool?: { name: string; input: object };
  /** Milliseconds between two words. */
  delay?: number;
  cut?: boolean;
}

export function answerTo(said: readonly string[], toolResult: string | undefined): Answer {
  if (toolResult !== undefined) return { text: `The tool said: ${toolResult}` };
  const newest = (said.at(-1) ?? '').trim();
  const [word = '', ...rest] = (newest.split('\n').find((l) => /^[A-Z]{3,}\b/.test(l)) ?? '').split(' ');
  const text = rest.join(' ');
  switch (word) {
    case 'SHELL':
      return { text: 'I run it. ', shell: text };
    case 'TOOL':
      return { tool: { name: rest[0] ?? '', input: JSON.parse(rest.slice(1).join(' ') || '{}') as object } };
    case 'THINK':
      return { thinking: `about ${text}`, text: `I thought about ${text}.` };
    case 'SLOW':
      return { text: 'tick '.repeat(Number(text)), delay: 50 };
    case 'CUT':
      return { text: 'This breaks off 在半 way', cut: true };
    case 'ERROR':
      return { status: Number(text) };
    case 'RECALL':
      return { text: `Before: ${JSON.stringify(said.slice(0, -1))}` };
    default:
      return { text: `You said: ${newest}` };
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
