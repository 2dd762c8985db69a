// What a page fetches before it is there, and when something of it is seen.
import { listen, packed } from '../../test/ui/loads.ts';

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Ms from the navigation to the first contentful paint, and to the page's own heading. */
async function start(page, address) {
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  await heading(page, /needs? you|All well/);
  return page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    heading: performance.getEntriesByName('coffer-heading')[0].startTime,
  }));
}

/** Marks when Home's heading enters the document, wherever in the shadow trees it is. */
const markHeading = () => {
  const find = (root) => {
    for (const node of root.querySelectorAll('*')) {
      if (node.localName === 'h1' && /needs? you|All well/.test(node.textContent)) return true;
      if (node.shadowRoot !== null && find(node.shadowRoot)) return true;
    }
    return false;
  };
  const look = () => {
    if (find(document)) performance.mark('coffer-heading');
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

export async function startOfHome(page, base, rounds) {
  await page.addInitScript(markHeading);
  const cdp = await page.context().newCDPSession(page);
  const times = { cold: { paint: [], heading: [] }, warm: { paint: [], heading: [] } };
  for (let i = -1; i < rounds; i++)
    for (const cache of ['cold', 'warm']) {
      if (cache === 'cold') await cdp.send('Network.clearBrowserCache');
      const t = await start(page, `${base}/`);
      if (i >= 0) for (const key of ['paint', 'heading']) times[cache][key].push(t[key]);
    }
  await cdp.send('Network.clearBrowserCache');
  const heard = listen(page);
  await start(page, `${base}/`);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  const loaded = heard.take();
  heard.end();
  return {
    ...times,
    js: await packed(loaded, '.js'),
    css: await packed(loaded, '.css'),
    foreign: loaded.filter((r) => !r.url().startsWith(`${base}/`)).length,
  };
}

const PAGES = [
  ['/activity', 'Activity'],
  ['/scope', 'Machines and scope'],
  ['/credentials', 'Credentials'],
  ['/plugins', 'Plugins'],
  ['/settings', 'Settings'],
  ['/r/mcp_server', 'MCP servers'],
  ['/mcp-servers', 'MCP servers'],
];

/** What each page fetches that Home had not, each after Home alone. */
export async function pageChunks(page, base) {
  const cdp = await page.context().newCDPSession(page);
  const heard = listen(page);
  const out = [];
  for (const [to, title] of PAGES) {
    await cdp.send('Network.clearBrowserCache');
    await start(page, `${base}/`);
    await page.waitForLoadState('networkidle').catch(() => undefined);
    heard.take();
    await page.evaluate((at) => {
      history.pushState(null, '', at);
      dispatchEvent(new PopStateEvent('popstate'));
    }, to);
    await heading(page, title);
    await page.waitForTimeout(500);
    out.push({ name: to, bytes: await packed(heard.take(), '.js') });
  }
  heard.end();
  return out;
}
