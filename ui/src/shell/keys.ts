/** Keys that work everywhere; single letters only outside fields. */
import { navigate, stores } from '../kit/index.js';

const GO: Readonly<Record<string, string>> = {
  'g h': '/',
  'g a': '/activity',
  'g s': '/scope',
  'g c': '/credentials',
  'g p': '/plugins',
  'g ,': '/settings',
};
/** How long the second letter may take, in milliseconds. */
const SEQUENCE_MS = 1200;

/** Each address that two letters lead to; the shell's own count before a plugin's. */
function sequences(): Map<string, string> {
  const ofPlugins = (stores.plugins.value ?? []).flatMap((p) => p.ui?.palette ?? []);
  return new Map([
    ...ofPlugins.flatMap(({ keys, route }): [string, string][] => (keys === undefined ? [] : [[keys, route]])),
    ...Object.entries(GO),
  ]);
}

/** The letters that lead to an address, for whoever shows it. */
export function keysOf(route: string): string {
  return [...sequences()].find(([, to]) => to === route)?.[0] ?? '';
}

function inField(e: KeyboardEvent): boolean {
  const at = e.composedPath()[0];
  return at instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) || at.isContentEditable);
}

/** The first element of a tag on the page, shadow roots included. */
function findDeep(root: ParentNode, tag: string): Element | undefined {
  for (const node of root.querySelectorAll('*')) {
    if (node.localName === tag) return node;
    const inner = node.shadowRoot === null ? undefined : findDeep(node.shadowRoot, tag);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

export function listenToKeys(palette: () => void): () => void {
  let first = '';
  // When it was pressed, in the event's own time: a page that was busy meanwhile takes no letter away.
  let at = -Infinity;
  const onKey = (e: KeyboardEvent): void => {
    if ((e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey && e.key.toLowerCase() === 'k') {
      e.preventDefault();
      palette();
      return;
    }
    if (inField(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === '/') {
      const table = findDeep(document, 'cf-table') as { focusSearch?: () => boolean } | undefined;
      if (table?.focusSearch?.() === true) e.preventDefault();
      return;
    }
    const to = e.timeStamp - at <= SEQUENCE_MS ? sequences().get(`${first} ${e.key}`) : undefined;
    first = e.key;
    at = e.timeStamp;
    if (to !== undefined) navigate(to);
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
