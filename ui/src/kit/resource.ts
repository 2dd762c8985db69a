import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { api, ApiError } from './core/api.js';
import { Use } from './core/data.js';
import { CofferElement } from './core/element.js';
import { slotsFor, worded, type Slot } from './core/extensions.js';
import { ago } from './core/format.js';
import { plural, t, translated } from './core/i18n.js';
import { Switches } from './core/optimistic.js';
import { navigate, queryValue, setQuery } from './core/router.js';
import { kinds, machines, plugins } from './core/stores.js';
import type { Kind, Resource } from './core/types.js';
import type { Answer } from './answers.js';
import { actorWords } from './audit-list.js';
import { resourceFacts, resourcePath, type ResourceFacts } from './resource-data.js';
import { deleteResource } from './resource-delete.js';
import { eventWords, stateOf } from './resource-words.js';
import { scopeWords } from './scope-words.js';
import type { Tab } from './tabs.js';

export interface ResourceTab extends Tab {
  render: (facts: ResourceFacts) => unknown;
}

/**
 * The page of one resource, of any kind: crumb, title with its switch, the five answers, tabs. A kind brings tabs of its own and
 * may say better what it is; the rest comes from resource, scope and audit. Slot: `actions`.
 */
@customElement('cf-resource')
export class CfResource extends CofferElement {
  @property() kind = '';
  @property() name = '';
  /** Address of the list it belongs to. */
  @property() list = '/';
  @property({ attribute: false }) tabs: readonly ResourceTab[] = [];
  /** Its kind has no switch: what is there is on. */
  @property({ type: Boolean }) steady = false;
  /** The first answer: what it is. */
  @property({ attribute: false }) what: ((r: Resource) => Pick<Answer, 'a' | 'd'>) | undefined;
  #facts = new Use<ResourceFacts>(this, undefined);
  #kinds = new Use(this, kinds);
  #machines = new Use(this, machines);
  #plugins = new Use(this, plugins);
  #switches = new Switches(() => this.requestUpdate());

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('kind') || changed.has('name')) this.#facts.point(resourceFacts(this.kind, this.name));
  }

  override render(): unknown {
    const facts = this.#facts.value;
    if (facts === undefined) return this.waiting();
    const { resource } = facts;
    const tabs = this.allTabs(facts);
    const tab = tabs.find((x) => x.id === queryValue('tab')) ?? tabs[0];
    const refused = this.#switches.error('on');
    return html`<cf-page heading=${resource.name} text=${resource.description ?? ''}>
      <div class="crumbs" slot="crumbs">
        <a href=${this.list}>${this.label()}</a><cf-icon name="chevron"></cf-icon
        ><span class="mono">${resource.ref}</span>
        <button
          class="btn ghost icon sm refcopy"
          type="button"
          aria-label=${t('Copy the reference')}
          title=${t('Copy the reference')}
          @click=${() => void navigator.clipboard.writeText(resource.ref)}
        >
          <cf-icon name="copy"></cf-icon>
        </button>
      </div>
      ${
        this.steady
          ? nothing
          : html`<cf-switch
              slot="switch"
              label=${resource.name}
              .checked=${this.#switches.shown('on', resource.enabled)}
              .pending=${this.#switches.pending('on')}
              @cf-toggle=${this.toggle}
            ></cf-switch>`
      }
      <div slot="actions" class="row">
        <slot name="actions"></slot>
        <button class="btn bad" type="button" data-act="delete" @click=${this.erase}>
          <cf-icon name="trash"></cf-icon>${this.kindHere()?.deletion === 'restorable' ? t('Delete') : t('Delete…')}
        </button>
      </div>
      ${refused === '' ? nothing : html`<div slot="banner" class="note bad" role="alert">${refused}</div>`}
      <cf-answers .cells=${this.answers(facts)}></cf-answers>
      <cf-tabs
        label=${t('Sections')}
        value=${tab?.id ?? ''}
        .items=${tabs}
        @cf-change=${(e: CustomEvent<{ id: string }>) => {
          if (e.target !== e.currentTarget) return;
          setQuery({ tab: e.detail.id === tabs[0]?.id ? undefined : e.detail.id, tool: undefined, try: undefined });
          this.requestUpdate();
        }}
      ></cf-tabs>
      <div role="tabpanel" aria-label=${tab?.label ?? ''}>${tab?.render(facts)}</div>
    </cf-page>`;
  }

  private label(): string {
    const label = this.kindHere()?.label.many ?? this.kind;
    return translated(label);
  }

  private waiting(): unknown {
    const { error } = this.#facts;
    if (error instanceof ApiError && error.status === 404) {
      return html`<cf-page heading=${this.name}
        ><cf-empty
          icon="search"
          heading=${t('There is no {name} here', { name: this.name })}
          text=${t('It may have been deleted or renamed.')}
          ><a class="btn" href=${this.list}>${t('Show all')}</a></cf-empty
        ></cf-page
      >`;
    }
    if (error !== undefined)
      return html`<cf-page heading=${this.name}
        ><cf-error .error=${error} @cf-retry=${() => void this.#facts.reload()}></cf-error
      ></cf-page>`;
    return html`<cf-page heading=${this.name}><cf-skeleton></cf-skeleton></cf-page>`;
  }

  private allTabs(facts: ResourceFacts): ResourceTab[] {
    const { resource } = facts;
    void this.#plugins.value;
    const kind = this.kindHere();
    const slot = (s: Slot): ResourceTab => ({
      id: s.id,
      label: worded(s.label),
      render: (f) =>
        html`<cf-extension
          plugin=${s.plugin}
          module=${s.module}
          element=${s.element}
          .given=${{ resource: f.resource }}
        ></cf-extension>`,
    });
    return [
      ...this.tabs,
      ...slotsFor('resource.tabs', this.kind).map(slot),
      // A kind without a scope is for everybody; there is nothing to choose.
      ...(kind === undefined || kind.scope_axes.length > 0
        ? [
            {
              id: 'scope',
              label: t('Scope'),
              render: () =>
                html`<cf-resource-scope .resource=${resource} .axes=${kind?.scope_axes ?? []}></cf-resource-scope>`,
            },
          ]
        : []),
      {
        id: 'calls',
        label: t('Calls'),
        count: String(facts.calls.length),
        render: (f) => html`<cf-calls-list .calls=${f.calls}></cf-calls-list>`,
      },
      {
        id: 'history',
        label: t('History'),
        count: String(facts.changes.length),
        render: (f) => html`<cf-audit-list .entries=${f.changes}></cf-audit-list>`,
      },
      // A kind that makes its resources itself takes no changes from a form.
      ...(kind?.creation === 'own'
        ? []
        : [
            {
              id: 'settings',
              label: t('Settings'),
              render: () =>
                html`<cf-resource-settings .resource=${resource} .schema=${kind?.schema ?? {}}></cf-resource-settings>`,
            },
          ]),
      { id: 'json', label: 'JSON', render: (f) => html`<cf-json .value=${f.resource}></cf-json>` },
    ];
  }

  private answers({ resource, changes, calls }: ResourceFacts): Answer[] {
    const { state, word } = stateOf(resource);
    const scope = scopeWords(resource.scope, this.#machines.value ?? []);
    const failed = calls.filter((c) => c.status !== 'ok').length;
    const last = changes[0];
    const own = this.#kinds.value?.find((k) => k.kind === this.kind)?.creation === 'own';
    const at = (tab: string): string => `${location.pathname}?tab=${tab}`;
    const what = this.what?.(resource) ?? {
      a: translated(this.kindHere()?.label.one ?? this.kind),
      d: resource.ref,
    };
    return [
      { ...what, href: location.pathname },
      {
        a: html`<cf-status state=${state}>${word}</cf-status>`,
        d:
          resource.status?.reason ??
          (resource.status?.checked_at === undefined
            ? t('nobody has asked it')
            : t('asked {time}', { time: ago(resource.status.checked_at) })),
        href: at('log'),
      },
      { a: scope.who, d: scope.where, href: at('scope') },
      {
        a: t('{calls}, {n} failed', { calls: plural(calls.length, '{n} call', '{n} calls'), n: failed }),
        d:
          last === undefined
            ? t('24 h; never changed')
            : t('24 h; last: {what}, {who}, {time}', {
                what: eventWords(last.event_type),
                who: actorWords(last.actor),
                time: ago(last.timestamp),
              }),
        href: at('calls'),
      },
      own
        ? { a: t('Its own files'), d: t('changed {time}', { time: ago(resource.updated_at) }), href: location.pathname }
        : { a: t('Settings'), d: t('changed {time}', { time: ago(resource.updated_at) }), href: at('settings') },
    ];
  }

  private toggle(e: CustomEvent<{ checked: boolean }>): void {
    e.stopPropagation();
    void this.#switches.set(
      'on',
      e.detail.checked,
      (on) => api.post(`${resourcePath(this.kind, this.name)}/${on ? 'enable' : 'disable'}`),
      () => this.#facts.reload(),
    );
  }

  private erase(): Promise<void> {
    const { list } = this;
    return deleteResource(this.kindHere(), [this.kind, this.name], () => navigate(list));
  }

  private kindHere(): Kind | undefined {
    return this.#kinds.value?.find((k) => k.kind === this.kind);
  }
}
