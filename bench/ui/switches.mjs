// A press on a switch: when it is on screen, and when the live event has confirmed it.

/** In the page: what happens from the press to the painted change, and to the event of the stream. */
const watch = () => {
  globalThis.presses = [];
  const source = new EventSource('/api/v1/events');
  source.onmessage = (e) => {
    const news = JSON.parse(e.data);
    const press = globalThis.presses.at(-1);
    if (news.type === 'capability' && press !== undefined && press.event === undefined)
      press.event = performance.now() - press.at;
  };
  addEventListener(
    'click',
    (e) => {
      const control = e.composedPath().find((n) => n.getAttribute?.('role') === 'switch');
      if (control === undefined) return;
      const before = control.getAttribute('aria-checked');
      const press = { at: e.timeStamp };
      globalThis.presses.push(press);
      const look = () => {
        if (control.getAttribute('aria-checked') === before) return requestAnimationFrame(look);
        // After this frame was handed to the screen.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => (press.paint = performance.now() - press.at);
        requestAnimationFrame(() => channel.port2.postMessage(''));
      };
      look();
    },
    true,
  );
  return new Promise((resolve) => (source.onopen = () => resolve()));
};

export async function switches(page, base, rounds) {
  await page.goto(`${base}/mcp-servers/small?tab=tools`);
  const control = page.getByRole('switch', { name: 'tool_005', exact: true });
  await control.waitFor();
  await page.evaluate(watch);
  const out = { paint: [], event: [], unconfirmed: 0 };
  for (let i = 0; i < rounds * 2; i++) {
    const wish = String((await control.getAttribute('aria-checked')) !== 'true');
    await control.click();
    await page.waitForFunction(() => {
      const press = globalThis.presses.at(-1);
      return press?.paint !== undefined && press.event !== undefined;
    });
    const press = await page.evaluate(() => globalThis.presses.at(-1));
    out.paint.push(press.paint);
    out.event.push(press.event);
    // What stays, when the answer and the reload that follows the event are in.
    await page.waitForTimeout(300);
    if ((await control.getAttribute('aria-checked')) !== wish) out.unconfirmed++;
  }
  return out;
}
