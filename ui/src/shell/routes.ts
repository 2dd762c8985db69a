import { html } from 'lit';
import { match, stores, t } from '../kit/index.js';

/** The shell's own pages, each a chunk of its own. */
const OWN: readonly { path: string; element: string; load: () => Promise<unknown> }[] = [
  { path: '/', element: 'coffer-home', load: () => import('../pages/home.js') },
  { path: '/activity', element: 'coffer-activity', load: () => import('../pages/activity.js') },
  { path: '/scope', element: 'coffer-scope', load: () => import('../pages/scope.js') },
  { path: '/credentials', element: 'coffer-credentials', load: () => import('../pages/credentials.js') },
  { path: '/plugins', element: 'coffer-plugins', load: () => import('../pages/plugins.js') },
  { path: '/settings/:section?', element: 'coffer-settings', load: () => import('../pages/settings.js') },
  { path: '/r/:kind', element: 'coffer-kind', load: () => import('../pages/kind.js') },
  { path: '/r/:kind/:name', element: 'coffer-resource', load: () => import('../pages/kind.js') },
];

/** Old addresses that people have kept. */
const MOVED: Readonly<Record<string, string>> = {
  '/observability': '/activity?show=changes',
  '/audit': '/activity?show=changes',
};

export type Shown =
  | { is: 'own'; element: string; params: Readonly<Record<string, string>>; ready: Promise<unknown> }
  | { is: 'plugin'; content: unknown }
  | { is: 'moved'; to: string }
  /** Plugins are not known yet. */
  | { is: 'waiting' }
  | { is: 'none' };

export function resolveRoute(path: string): Shown {
  const moved = MOVED[path];
  if (moved !== undefined) return { is: 'moved', to: moved };
  for (const route of OWN) {
    const params = match(route.path, path);
    if (params !== undefined) return { is: 'own', element: route.element, params, ready: route.load() };
  }
  const plugins = stores.plugins.value;
  if (plugins === undefined) return { is: 'waiting' };
  for (const plugin of plugins) {
    for (const route of plugin.ui?.routes ?? []) {
      const params = match(route.path, path);
      if (params === undefined) continue;
      const kind = plugin.ui?.nav?.find((n) => path === n.route || path.startsWith(`${n.route}/`))?.kind;
      return {
        is: 'plugin',
        content: html`<cf-extension
          plugin=${plugin.name}
          module=${plugin.ui?.module ?? ''}
          element=${route.element}
          .given=${{ params }}
          >${
            kind === undefined
              ? ''
              : html`<a
                  slot="instead"
                  class="btn sm"
                  href="/r/${kind}${params['name'] === undefined ? '' : `/${encodeURIComponent(params['name'])}`}"
                  >${t('Use the plain page')}</a
                >`
          }</cf-extension
        >`,
      };
    }
  }
  return { is: 'none' };
}
