/** Messages and events for a terminal. What an agent wrote steers nothing there. */
import type { Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';

export interface Writer {
  /** One message, whole. */
  readonly said: (message: Obj) => string;
  /** One event, as it comes. */
  readonly live: (event: Obj) => string;
}

export function writer(text: Toolkit['text']): Writer {
  /** One message for a terminal. */
  const said = (m: Obj): string => {
    const figures = [m.model_id, m.prompt_tokens === null ? null : `${m.prompt_tokens} in, ${m.completion_tokens} out`]
      .filter((f) => f !== null)
      .join(', ');
    const state =
      m.status === 'streaming' ? 'running' : m.stop_reason === 'interrupted' ? 'stopped' : (m.error?.message ?? '');
    return [
      text.bold(m.role === 'user' ? 'You' : 'Agent') + text.dim(` ${text.when(m.created_at)} ${text.clean(figures)}`),
      ...(m.content as Obj[]).flatMap((b): string[] => {
        switch (b.type) {
          case 'text':
            return [text.cleanLines(b.text)];
          case 'note':
            return [text.dim(text.clean(b.text))];
          case 'tool_use':
            return [tool(b)];
          case 'tool_result':
            return b.error === null ? [] : [text.red(`  ${text.clean(b.error).slice(0, 200)}`)];
          default:
            return [];
        }
      }),
      ...(state === '' ? [] : [text.yellow(text.clean(state))]),
    ].join('\n');
  };
  const tool = (b: Obj): string => text.dim(`> ${text.clean(b.tool_name)} ${text.clean(b.tool_input).slice(0, 100)}`);

  /** One event for a terminal, as it comes. */
  const live = (e: Obj): string => {
    switch (e.type) {
      case 'turn_start':
        return `\n${text.bold('You')} ${text.cleanLines(e.user.content[0]?.text ?? '')}\n${text.bold('Agent')} `;
      case 'text_delta':
        return partOf(e.text as string);
      case 'note':
        return `\n${text.dim(text.clean(e.text))}\n`;
      case 'tool_call':
        return `\n${tool(e)}\n`;
      case 'tool_result':
        return e.error === null ? '' : `${text.red(`  ${text.clean(e.error).slice(0, 200)}`)}\n`;
      case 'turn_done':
        return e.stop_reason === 'interrupted' ? `\n${text.yellow('stopped')}\n` : '\n';
      case 'turn_error':
        return `\n${text.yellow(text.clean(e.message))}\n`;
      case 'queue_changed':
        return e.pending.length === 0
          ? ''
          : `\n${text.dim(`${e.pending.length} waiting${e.paused === true ? ', held back' : ''}`)}\n`;
      default:
        return '';
    }
  };
  /** A piece of text as it is, its spaces at the edges too, without anything a terminal would obey. */
  const partOf = (part: string): string =>
    part
      .split(/(\s+)/)
      .map((p) => (/^\s+$/.test(p) ? p.replace(/[^\n\t ]/g, ' ') : text.clean(p)))
      .join('');

  return { said, live };
}
