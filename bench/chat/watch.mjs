/** Watches a conversation as a program does, and says how old each word was when it came. */
const now = () => performance.timeOrigin + performance.now();

/** Resolves once the stream is open; `done` to the ages of all words of one turn, in milliseconds. */
export async function watch(daemon, id) {
  const gone = new AbortController();
  const res = await fetch(`http://127.0.0.1:${daemon.port}/api/v1/chat/conversations/${id}/events`, {
    headers: { 'X-Coffer-Token': daemon.token },
    signal: gone.signal,
  });
  const done = (async () => {
    const ages = [];
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of res.body) {
      const at = now();
      rest += decoder.decode(chunk, { stream: true });
      const frames = rest.split('\n\n');
      rest = frames.pop();
      for (const frame of frames) {
        if (frame.startsWith('event: turn_done') || frame.startsWith('event: turn_error')) return ages;
        if (!frame.startsWith('event: text_delta')) continue;
        const { text } = JSON.parse(frame.slice(frame.indexOf('data: ') + 6));
        for (const word of text.trim().split(' ')) ages.push(at - Number(word));
      }
    }
    return ages;
  })().finally(() => gone.abort());
  return { done };
}
