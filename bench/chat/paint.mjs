/** How old each word is when the frame that shows it was painted, in milliseconds. */
export async function paintAges(page, base, id, start) {
  await page.goto(`${base}/chat/${id}`);
  await page.getByLabel('Message', { exact: true }).waitFor();
  await page.evaluate(() => {
    const ages = (globalThis.ages = []);
    const deep = (root, name, found = []) => {
      for (const e of root.querySelectorAll('*')) {
        if (e.localName === name) found.push(e);
        if (e.shadowRoot) deep(e.shadowRoot, name, found);
      }
      return found;
    };
    let seen = 0;
    let block;
    // A message that is posted within a frame comes right after that frame was painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const shown = performance.timeOrigin + performance.now();
      block = block?.isConnected ? block : deep(document, 'chat-block').at(-1);
      const words = (block?.shadowRoot?.textContent ?? '').match(/\d{13}\.\d\d/g) ?? [];
      for (const word of words.slice(seen)) ages.push(shown - Number(word));
      seen = words.length;
    };
    const frame = () => {
      port2.postMessage(0);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await start();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached', timeout: 60_000 });
  return page.evaluate(() => globalThis.ages);
}

/** From the address to the last message on screen, in milliseconds. */
export async function opening(page, base, id, last) {
  await page.goto(`${base}/chat`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.evaluate(
    (to) => {
      globalThis.opened = undefined;
      globalThis.from = performance.now();
      const deep = (root) => {
        for (const e of root.querySelectorAll('*')) {
          if (e.localName === 'chat-block' && e.shadowRoot?.textContent.includes(to.last)) return true;
          if (e.shadowRoot && deep(e.shadowRoot)) return true;
        }
        return false;
      };
      const look = () => {
        if (deep(document)) requestAnimationFrame(() => (globalThis.opened = performance.now() - globalThis.from));
        else requestAnimationFrame(look);
      };
      history.pushState(null, '', `/chat/${to.id}`);
      dispatchEvent(new PopStateEvent('popstate'));
      requestAnimationFrame(look);
    },
    { id, last },
  );
  await page.waitForFunction(() => globalThis.opened !== undefined);
  return page.evaluate(() => globalThis.opened);
}
