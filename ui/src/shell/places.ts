/** Where one can go: the shell's own pages, and what kinds and plugins bring. The shell knows no kind by name. */
import { stores, t, translated, troubled, worded, type Kind, type Plugin, type Resource } from '../kit/index.js';
import { ICONS } from '../kit/icons.js';

export interface Place {
  id: string;
  label: string;
  /** Path data. */
  icon: string;
  route: string;
  group: 'top' | 'connect' | 'provide' | 'oversee' | 'foot';
  order: number;
  count?: number;
  attention?: number;
}

export function places(): Place[] {
  const plugins = stores.plugins.value ?? [];
  const kinds = stores.kinds.value ?? [];
  const resources = stores.resources.value ?? [];
  const sick = plugins.filter((p) => p.state === 'failed' || p.state === 'degraded').length;
  const own: Place[] = [
    { id: 'home', label: t('Home'), icon: ICONS.home, route: '/', group: 'top', order: 0 },
    { id: 'activity', label: t('Activity'), icon: ICONS.activity, route: '/activity', group: 'oversee', order: 10 },
    { id: 'scope', label: t('Scope'), icon: ICONS.scope, route: '/scope', group: 'oversee', order: 30 },
    {
      id: 'credentials',
      label: t('Credentials'),
      icon: ICONS.key,
      route: '/credentials',
      group: 'oversee',
      order: 40,
      ...counted(stores.credentials.value?.length, stores.credentials.value?.filter((c) => c.locked).length),
    },
    {
      id: 'plugins',
      label: t('Plugins'),
      icon: ICONS.plug,
      route: '/plugins',
      group: 'oversee',
      order: 50,
      ...counted(stores.plugins.value?.length, sick),
    },
    { id: 'settings', label: t('Settings'), icon: ICONS.settings, route: '/settings', group: 'foot', order: 0 },
  ];
  return [...own, ...ofPlugins(plugins, resources), ...plainKinds(kinds, plugins, resources)].sort(
    (a, b) => a.order - b.order,
  );
}

function counted(count: number | undefined, attention = 0): Pick<Place, 'count' | 'attention'> {
  return { ...(count !== undefined && { count }), ...(attention > 0 && { attention }) };
}

function ofKind(kind: string, resources: readonly Resource[]): Pick<Place, 'count' | 'attention'> {
  const mine = resources.filter((r) => r.kind === kind);
  return counted(mine.length, mine.filter(troubled).length);
}

function ofPlugins(plugins: readonly Plugin[], resources: readonly Resource[]): Place[] {
  return plugins.flatMap((p) =>
    (p.ui?.nav ?? []).map((n): Place => ({
      id: n.id,
      label: worded(n.label),
      icon: n.icon ?? ICONS.box,
      route: n.route,
      group: n.group ?? 'provide',
      order: n.order ?? 100,
      ...(n.kind === undefined ? {} : ofKind(n.kind, resources)),
    })),
  );
}

/** Kinds that no plugin has furnished: they get the generic pages. */
function plainKinds(kinds: readonly Kind[], plugins: readonly Plugin[], resources: readonly Resource[]): Place[] {
  const furnished = new Set(plugins.flatMap((p) => (p.ui?.nav ?? []).map((n) => n.kind)));
  return kinds
    .filter((k) => !furnished.has(k.kind))
    .map((k) => ({
      id: `kind-${k.kind}`,
      label: translated(k.label.many),
      icon: ICONS.box,
      route: `/r/${encodeURIComponent(k.kind)}`,
      group: 'provide' as const,
      order: 200,
      ...ofKind(k.kind, resources),
    }));
}

/** Address of the page of a resource: that of its plugin, else the generic one. */
export function hrefOf(r: Pick<Resource, 'kind' | 'name'>): string {
  for (const p of stores.plugins.value ?? []) {
    const nav = p.ui?.nav?.find((n) => n.kind === r.kind);
    if (nav !== undefined) return `${nav.route}/${encodeURIComponent(r.name)}`;
  }
  return `/r/${encodeURIComponent(r.kind)}/${encodeURIComponent(r.name)}`;
}
