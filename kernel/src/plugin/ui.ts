/** What a plugin adds to the web UI, as its manifest says it: enough to draw the navigation before any module is loaded. */
import path from 'node:path';
import type { JsonSchema } from '../json.js';
import { runs, type PluginRecord } from './record.js';

/** By language; `en` is what every other language falls back to. */
export type Words = Readonly<Record<string, string>>;

export interface UiManifest {
  /** The module, relative to the package; it and its neighbours are served. */
  module: string;
  /** By language, a module beside it that brings translations; fetched by whoever speaks it, before any page of the plugin. */
  words?: Words;
  nav?: {
    id: string;
    label: Words;
    /** Path data on a grid of 16, nothing else. */
    icon?: string;
    /** Of the navigation; `top` is for what one lives in. Default `provide`. */
    group?: 'top' | 'connect' | 'provide' | 'oversee';
    order?: number;
    route: string;
    /** The kind that the entry counts. */
    kind?: string;
  }[];
  /** A path of the page and the custom element that draws it. A segment `:name` is a parameter, `:name?` an optional one. */
  routes?: { path: string; element: string }[];
  slots?: {
    slot: 'resource.tabs' | 'settings.sections' | 'home.cards';
    kind?: string;
    id: string;
    label: Words;
    element: string;
    order?: number;
  }[];
  palette?: { id: string; label: Words; route: string; keys?: string }[];
  /** What the palette finds in: the module adds a source of this id; the label heads what it found. */
  search?: { id: string; label: Words }[];
}

export interface UiView extends UiManifest {
  /** Address of the module; changes with the version, so that no browser keeps an old one. Those of `words` do too. */
  module: string;
}

const words: JsonSchema = {
  type: 'object',
  required: ['en'],
  additionalProperties: { type: 'string', minLength: 1, maxLength: 80 },
};
const id: JsonSchema = { type: 'string', pattern: '^[a-z][a-z0-9.-]*$', maxLength: 80 };
const element: JsonSchema = { type: 'string', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)+$', maxLength: 80 };
// Two slashes would name another host.
const route: JsonSchema = { type: 'string', pattern: '^/(?!/)[A-Za-z0-9_/:?&=.-]*$', maxLength: 200 };
const order: JsonSchema = { type: 'integer' };
const some = (required: string[], properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'array',
  maxItems: 50,
  items: { type: 'object', required, additionalProperties: false, properties },
});

/** The schema of `coffer.ui`; `inside` is that of a path inside the package. */
export function uiManifest(inside: JsonSchema): JsonSchema {
  // In a folder of its own, since its neighbours are served with it.
  const file: JsonSchema = { allOf: [inside, { pattern: '^\\./.+/[^/]+\\.js$' }] };
  return {
    type: 'object',
    required: ['module'],
    additionalProperties: false,
    properties: {
      module: file,
      words: { type: 'object', propertyNames: { pattern: '^[a-z]{2,3}$' }, additionalProperties: file },
      nav: some(['id', 'label', 'route'], {
        id,
        label: words,
        icon: { type: 'string', pattern: '^[MmLlHhVvCcSsQqTtAaZz0-9 ,.-]+$', maxLength: 2000 },
        group: { enum: ['top', 'connect', 'provide', 'oversee'] },
        order,
        route,
        kind: { type: 'string', maxLength: 80 },
      }),
      routes: some(['path', 'element'], { path: route, element }),
      slots: some(['slot', 'id', 'label', 'element'], {
        slot: { enum: ['resource.tabs', 'settings.sections', 'home.cards'] },
        kind: { type: 'string', maxLength: 80 },
        id,
        label: words,
        element,
        order,
      }),
      palette: some(['id', 'label', 'route'], { id, label: words, route, keys: { type: 'string', maxLength: 20 } }),
      search: some(['id', 'label'], { id, label: words }),
    },
  };
}

export function uiOf(r: PluginRecord): UiView | null {
  const ui = r.manifest?.ui;
  if (ui === undefined || !runs(r)) return null;
  const address = (file: string): string =>
    `/plugins/${r.name}/ui/${path.posix.basename(file)}?v=${encodeURIComponent(r.version)}`;
  const words = Object.entries(ui.words ?? {}).map(([language, file]) => [language, address(file)]);
  return { ...ui, module: address(ui.module), ...(words.length > 0 && { words: Object.fromEntries(words) as Words }) };
}

/** The folder that holds the module of a plugin that runs. */
export function uiDirOf(r: PluginRecord | undefined): string | undefined {
  const module = r?.manifest?.ui?.module;
  return r?.dir == null || module === undefined || !runs(r) ? undefined : path.join(r.dir, path.posix.dirname(module));
}
