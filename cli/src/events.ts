/** Server-sent events, as a stream of the daemon brings them. */
import http from 'node:http';

export interface StreamEvent {
  event: string;
  id: string | undefined;
  data: string;
}

/** Yields events until the other side ends the stream. Throws what `failed` makes of an answer that is no stream. */
export async function* readEvents(
  options: http.RequestOptions,
  failed: (status: number, body: string) => Error,
): AsyncGenerator<StreamEvent, void> {
  const res = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.request(options, resolve).on('error', reject).end();
  });
  // Decodes across chunks: a character may be cut in half between two.
  res.setEncoding('utf8');
  try {
    let rest = '';
    for await (const chunk of res as AsyncIterable<string>) {
      rest += chunk;
      if (res.statusCode !== 200) continue;
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const event = eventOf(frame);
        if (event !== undefined) yield event;
      }
    }
    if (res.statusCode !== 200) throw failed(res.statusCode ?? 0, rest);
  } finally {
    res.destroy();
  }
}

/** Undefined for a comment, which is only a sign of life. */
function eventOf(frame: string): StreamEvent | undefined {
  const fields = new Map(
    frame.split('\n').map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
    }),
  );
  const data = fields.get('data');
  return data === undefined ? undefined : { event: fields.get('event') ?? 'message', id: fields.get('id'), data };
}
