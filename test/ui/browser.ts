/** A real Chromium that is signed in to a real daemon. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { ROOT, type RealDaemon } from '@coffer/testing';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
export const SCREENS = path.join(ROOT, 'build/screens');

export async function openBrowser(): Promise<Browser> {
  const found = execFileSync(process.execPath, [path.join(ROOT, 'scripts/chromium.mjs')], { encoding: 'utf8' });
  return chromium.launch({ executablePath: found.replace(/ \(.*\)\s*$/s, ''), args: FLAGS });
}

export interface Visit {
  page: Page;
  base: string;
  /** Complaints of the page: its policy, its scripts. */
  complaints: string[];
}

/** A page that has followed `coffer open`. */
export async function visit(browser: Browser, daemon: RealDaemon, options: { dark?: boolean } = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: options.dark === true ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  const complaints: string[] = [];
  page.on('pageerror', (e) => complaints.push(e.message));
  page.on('console', (m) => {
    if (m.type() === 'error' && /Content Security Policy|Uncaught/.test(m.text())) complaints.push(m.text());
  });
  await signIn(page, daemon);
  return { page, base: `http://127.0.0.1:${daemon.port}`, complaints };
}

export async function signIn(page: Page, daemon: RealDaemon): Promise<void> {
  const { body } = await daemon.rest('POST', '/ui/login');
  await page.goto(String(body.url));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

/** Goes there and waits for its heading. */
export async function go({ page, base }: Visit, to: string, heading: string | RegExp): Promise<void> {
  await page.goto(base + to);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENS, `${name}.png`), animations: 'disabled' });
}

/** Everything that stands in the page, shadow trees and fields included; `innerText` sees neither. */
export function allText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const left: Node[] = [document.body];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (node instanceof HTMLStyleElement || node instanceof HTMLScriptElement) continue;
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '');
      if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) texts.push(node.value);
      if (node instanceof Element && node.shadowRoot !== null) left.push(node.shadowRoot);
      node.childNodes.forEach((child) => left.push(child));
    }
    return texts.join(' ');
  });
}

/** What axe-core has against the page, in a line each. */
export async function axe(page: Page): Promise<string[]> {
  // The page's own policy forbids injected scripts; the debugger's door is not bound by it.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    interface Found {
      violations: { id: string; nodes: { html: string; target: unknown }[] }[];
    }
    const { run } = (globalThis as unknown as { axe: { run(options: object): Promise<Found> } }).axe;
    const { violations } = await run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] });
    return violations.flatMap((v) =>
      v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 160)} @ ${JSON.stringify(n.target).slice(0, 200)}`),
    );
  });
}
