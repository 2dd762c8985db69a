import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  format,
  plural,
  slotsFor,
  stateOf,
  stores,
  t,
  troubled,
  worded,
  type Plugin,
  type Resource,
} from '../kit/index.js';
import { hrefOf } from '../shell/places.js';
import { hourly, marks, median } from './numbers.js';

interface Need {
  state: 'bad' | 'warn';
  name: string;
  text: string;
  href: string;
}

const LIVE_ROWS = 12;
const HOUR = 3_600_000;

/** Is anything wrong, who is here, what happens. The heading is the finding. */
@customElement('coffer-home')
export class CofferHome extends CofferElement {
  @state() private paused: readonly unknown[] | undefined;
  #resources = new Use(this, stores.resources);
  #plugins = new Use(this, stores.plugins);
  #sessions = new Use(this, stores.sessions);
  #calls = new Use(this, stores.recentCalls);
  #credentials = new Use(this, stores.credentials);
  #changes = new Use(this, stores.recentChanges);
  #newest = -1;

  override render(): unknown {
    const resources = this.#resources.value;
    const plugins = this.#plugins.value;
    if (resources === undefined || plugins === undefined) {
      const error = this.#resources.error ?? this.#plugins.error;
      return html`<cf-page heading=${t('Home')}
        >${
          error === undefined
            ? html`<cf-skeleton></cf-skeleton>`
            : html`<cf-error .error=${error} @cf-retry=${() => void this.#resources.reload()}></cf-error>`
        }</cf-page
      >`;
    }
    const needs = this.needs(resources, plugins);
    const first = resources.length === 0;
    const title = first
      ? t('Welcome to Coffer')
      : needs.length === 0
        ? t('All well')
        : plural(needs.length, 'One thing needs you', '{n} things need you');
    const clients = this.#sessions.value?.length ?? 0;
    const healthy = resources.filter((r) => stateOf(r).state === 'ok').length;
    const text = [
      plural(clients, '{n} client connected', '{n} clients connected'),
      t('{n} healthy of {all}', { n: healthy, all: resources.length }),
      plural(this.#calls.value?.length ?? 0, '{n} call in the last 24 hours', '{n} calls in the last 24 hours'),
    ].join(' · ');
    return html`<cf-page
      heading=${title}
      text=${first ? t('One place that holds your servers and lends them to every agent.') : text}
    >
      ${first ? this.welcome() : nothing}
      ${
        needs.length === 0
          ? nothing
          : html`<section class="panel" aria-label=${t('Needs you')}>${needs.map((n) => this.need(n))}</section>`
      }
      <div class="grid g-31 ${needs.length > 0 || first ? 'mt-4' : ''}">
        <div class="col gap-4">${this.chart()} ${this.live()}</div>
        <div class="col gap-4">${this.connected()} ${this.connect()} ${this.cards()}</div>
      </div>
    </cf-page>`;
  }

  private needs(resources: readonly Resource[], plugins: readonly Plugin[]): Need[] {
    return [
      ...plugins
        .filter((p) => p.state === 'failed' || p.state === 'degraded')
        .map((p): Need => ({
          state: p.state === 'failed' ? 'bad' : 'warn',
          name: p.name,
          text: p.note,
          href: '/plugins',
        })),
      ...resources.filter(troubled).map((r): Need => ({
        state: stateOf(r).state === 'bad' ? 'bad' : 'warn',
        name: r.name,
        text: r.status.reason ?? stateOf(r).word,
        href: hrefOf(r),
      })),
      ...(this.#credentials.value ?? [])
        .filter((c) => c.locked)
        .map((c): Need => ({
          state: 'bad',
          name: c.ref,
          text: t('This credential does not open with the master key.'),
          href: '/credentials',
        })),
    ];
  }

  private need(n: Need): unknown {
    return html`<div class="li h">
      <cf-status state=${n.state}><span class="vh">${n.state === 'bad' ? t('Error') : t('Warning')}</span></cf-status>
      <div class="grow">
        <b>${n.name}</b>
        <div class="sm mut">${n.text}</div>
      </div>
      <a class="btn sm" href=${n.href}>${t('Look')}<span class="vh"> ${n.name}</span></a>
    </div>`;
  }

  private welcome(): unknown {
    // What adds to the pages under “Provide”, in their order in the navigation.
    const pages = (this.#plugins.value ?? []).flatMap((p) => p.ui?.nav ?? []).filter((n) => n.group === 'provide');
    const orderOf = (route: string): number =>
      pages.find((n) => route.startsWith(`${n.route}?`))?.order ?? Number.POSITIVE_INFINITY;
    const adds = (this.#plugins.value ?? [])
      .flatMap((p) => p.ui?.palette ?? [])
      .filter((a) => Number.isFinite(orderOf(a.route)))
      .sort((a, b) => orderOf(a.route) - orderOf(b.route));
    return html`<section class="panel">
      <cf-empty
        icon="box"
        heading=${t('Nothing is here yet')}
        text=${t('Add what your agents should find. Paste the configuration of any client; secrets are put away first.')}
      >
        ${adds.slice(0, 2).map((a, i) => html`<a class="btn ${i === 0 ? 'pri' : ''}" href=${a.route}>${worded(a.label)}</a>`)}
      </cf-empty>
    </section>`;
  }

  private chart(): unknown {
    const calls = this.#calls.value ?? [];
    const failed = calls.filter((c) => c.status !== 'ok').length;
    const now = Date.now();
    // In hours, as the bars are; the bar of this hour is drawn whole although it is not over.
    const first = Math.floor(now / HOUR) - 23;
    const changes = marks(this.#changes.value ?? [], first * HOUR, (first + 24) * HOUR);
    return html`<section class="panel">
      <div class="ph">
        <h2>${t('Calls')}</h2>
        <span class="dim">${t('last 24 hours')}</span>
        <span class="end"
          ><span class="lg"><i></i>${t('answered')}</span>
          <span class="lg failed"><i></i>${t('failed')}</span>
          ${changes.length === 0 ? nothing : html`<span class="lg changed"><i></i>${t('changed')}</span>`}</span
        >
      </div>
      <div class="pb">
        <div class="stats">
          <div><b>${format.count(calls.length)}${calls.length === 500 ? '+' : ''}</b><span>${t('calls')}</span></div>
          <div><b>${format.count(failed)}</b><span>${t('failed')}</span></div>
          <div>
            <b>${calls.length === 0 ? '–' : format.duration(median(calls.map((c) => c.duration_ms)))}</b
            ><span>${t('median')}</span>
          </div>
        </div>
        <cf-bars
          class="mt-3"
          label=${t('{n} calls in the last 24 hours, {failed} failed', { n: calls.length, failed })}
          .bars=${hourly(calls, now)}
          .marks=${changes.map((m) => ({ at: m.at / 3600 - first, text: m.text }))}
        ></cf-bars>
      </div>
    </section>`;
  }

  private live(): unknown {
    const calls = this.#calls.value ?? [];
    const shown = (this.paused as typeof calls | undefined) ?? calls;
    if (this.#newest < 0 && this.#calls.value !== undefined) this.#newest = calls[0]?.id ?? 0;
    return html`<section class="col gap-1" aria-label=${t('Live')}>
      <div class="bar">
        <h2>${t('Live')}</h2>
        <span class="dim sm">${t('newest first')}</span>
        <span class="end row">
          <button
            class="btn sm ghost"
            type="button"
            @click=${() => (this.paused = this.paused === undefined ? calls : undefined)}
          >
            <cf-icon name=${this.paused === undefined ? 'pause' : 'play'}></cf-icon
            >${this.paused === undefined ? t('Pause') : t('Go on')}
          </button>
          <a class="btn sm" href="/activity">${t('All activity')}</a>
        </span>
      </div>
      <cf-calls-list plain since=${this.#newest} .calls=${shown.slice(0, LIVE_ROWS)}></cf-calls-list>
    </section>`;
  }

  private connected(): unknown {
    const sessions = this.#sessions.value ?? [];
    return html`<section class="panel">
      <div class="ph">
        <h2>${t('Connected now')}</h2>
        <span class="end"><span class="chip">${plural(sessions.length, '{n} client', '{n} clients')}</span></span>
      </div>
      ${
        sessions.length === 0
          ? html`<p class="pb dim">${t('No client is connected. They appear here by themselves.')}</p>`
          : sessions.map(
              (s) =>
                html`<div class="li">
                  <div class="grow">
                    <b>${s.client?.name ?? t('a client')}</b>
                    <div class="sm mut cut">${s.agent ?? t('no name given')}${s.cwd === null ? '' : ` · ${s.cwd}`}</div>
                  </div>
                  <cf-time class="sm dim" at=${s.opened_at}></cf-time>
                </div>`,
            )
      }
    </section>`;
  }

  private connect(): unknown {
    return html`<section class="panel">
      <div class="ph"><h2>${t('Connect another client')}</h2></div>
      <div class="pb col">
        <p class="mut">${t('Give a client this command as its one MCP server:')}</p>
        <cf-code label=${t('Command')} value="coffer-mcp-shim"></cf-code>
        <p class="sm dim">
          ${t('Over HTTP the address is {url}; it needs the token of daemon.json.', { url: `${location.origin}/mcp` })}
        </p>
      </div>
    </section>`;
  }

  private cards(): unknown {
    return slotsFor('home.cards').map(
      (s) => html`<cf-extension plugin=${s.plugin} module=${s.module} element=${s.element}></cf-extension>`,
    );
  }
}
