// A long table scrolled from its head to its end and back, as fast as frames come.

const scroll = async () => {
  const find = (root) => {
    for (const node of root.querySelectorAll('*')) {
      if (node.classList.contains('virtual')) return node;
      const inner = node.shadowRoot === null ? undefined : find(node.shadowRoot);
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  const box = find(document);
  const tasks = [];
  const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration)));
  watch.observe({ type: 'longtask' });
  let [frame, drawn] = [0, 0];
  let last = performance.now();
  const next = () =>
    new Promise((resolve) =>
      requestAnimationFrame((now) => {
        frame = Math.max(frame, now - last);
        last = now;
        resolve();
      }),
    );
  await next();
  frame = 0;
  const end = box.scrollHeight - box.clientHeight;
  // Wheel-like steps, then the leaps of a dragged bar.
  const stops = [
    ...Array.from({ length: 120 }, (_, i) => i * 120),
    ...Array.from({ length: 120 }, (_, i) => (end * (120 - i)) / 120),
  ];
  for (const top of stops) {
    box.scrollTop = top;
    await next();
    drawn = Math.max(drawn, box.querySelectorAll('tbody tr[data-row]').length);
  }
  await next();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const longest = Math.max(0, ...tasks);
  // An observer that sees nothing would find every table fast.
  for (const until = performance.now() + 80; performance.now() < until;);
  await new Promise((resolve) => setTimeout(resolve, 200));
  watch.disconnect();
  if (Math.max(0, ...tasks) < 60) throw new Error('The browser reports no long tasks.');
  return { longest, frame, drawn };
};

/** The longest task of typing a search, letter by letter. */
async function search(page, table) {
  await page.evaluate(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map((e) => e.duration))).observe({
      type: 'longtask',
    });
  });
  await table.getByRole('searchbox').pressSequentially('echo', { delay: 100 });
  await page.waitForTimeout(200);
  return page.evaluate(() => Math.max(0, ...globalThis.tasks));
}

export async function longTable(page, base, at, rows) {
  await page.goto(base + at);
  const table = page.locator('cf-table').first();
  await table.locator('tr[data-row]').first().waitFor();
  const count = async () => Number(await table.getByRole('table').getAttribute('aria-rowcount')) - 1;
  // Older ones are fetched by the page.
  for (let have = await count(); have < rows; have = await count()) {
    await table.getByRole('button', { name: 'Show older' }).click();
    await page.waitForFunction(
      ([host, before]) => Number(host.shadowRoot.querySelector('table').getAttribute('aria-rowcount')) - 1 > before,
      [await table.elementHandle(), have],
    );
  }
  await page.waitForTimeout(500);
  const all = await count();
  // The middle one of three passes: what others do on the machine is no task of the table.
  const passes = [];
  for (let i = 0; i < 3; i++) passes.push(await page.evaluate(scroll));
  const [, scrolled] = passes.toSorted((a, b) => a.longest - b.longest || a.frame - b.frame);
  return { rows: all, ...scrolled, search: await search(page, table) };
}
