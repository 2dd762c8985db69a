/** Addresses: the History API, so that links, Back and reload always work. */
const hearers = new Set<() => void>();

function moved(): void {
  for (const hear of hearers) hear();
}
addEventListener('popstate', moved);

/** Goes to an address of this page. `replace` leaves no step behind, for filters and tabs. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (to === location.pathname + location.search) return;
  history[options.replace === true ? 'replaceState' : 'pushState'](null, '', to);
  moved();
}

export function onNavigate(hear: () => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** Sets or takes away values of the query, in place. */
export function setQuery(values: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === '') query.delete(key);
    else query.set(key, value);
  }
  const text = query.toString();
  navigate(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

export const queryValue = (key: string): string => new URLSearchParams(location.search).get(key) ?? '';

export type RouteParams = Readonly<Record<string, string>>;

/** The parameters of a path under a pattern such as `/mcp-servers/:name/:tab?`; undefined when it does not fit. */
export function match(pattern: string, path: string): RouteParams | undefined {
  const want = pattern.split('/').filter(Boolean);
  const have = path.split('/').filter(Boolean);
  const params: Record<string, string> = {};
  for (const [i, part] of want.entries()) {
    const given = have[i];
    if (part.startsWith(':')) {
      if (given !== undefined) params[part.slice(1).replace('?', '')] = decode(given);
      else if (!part.endsWith('?')) return undefined;
    } else if (part !== given) return undefined;
  }
  return have.length > want.length ? undefined : params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
