import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import {
  CofferElement,
  Switches,
  Use,
  api,
  confirm,
  format,
  messageOf,
  seg,
  stores,
  t,
  toast,
  type Column,
  type Plugin,
  type State,
} from '../kit/index.js';

const STATES: Readonly<Record<Plugin['state'], State>> = {
  active: 'ok',
  degraded: 'warn',
  failed: 'bad',
  disabled: 'off',
};

interface Declared {
  name: string;
  version: string;
  description: string;
  files: number;
  skipped_scripts: string[];
  replaces: string | null;
}

/** What runs, what it adds, at what cost; why something does not run. */
@customElement('coffer-plugins')
export class CofferPlugins extends CofferElement {
  @state() private open: Plugin | undefined;
  @state() private adding = false;
  @state() private declared: Declared | undefined;
  @state() private busy = false;
  @state() private error = '';
  #plugins = new Use(this, stores.plugins);
  #switches = new Switches(() => this.requestUpdate());

  private columns(): Column<Plugin>[] {
    return [
      {
        key: 'on',
        label: t('On'),
        width: 't',
        cell: (p) =>
          html`<cf-switch
            label=${p.name}
            .checked=${this.#switches.shown(p.name, p.state !== 'disabled')}
            .pending=${this.#switches.pending(p.name)}
            @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) => this.toggle(p, e.detail.checked)}
          ></cf-switch>`,
      },
      {
        key: 'name',
        label: t('Plugin'),
        sort: (p) => p.name,
        cell: (p) =>
          html`<span class="nm">${p.name}</span>
            <div class="de">${p.source === 'bundled' ? t('bundled') : t('installed')} · ${p.version}</div>`,
      },
      {
        key: 'state',
        label: t('State'),
        width: 's',
        sort: (p) => p.state,
        cell: (p) =>
          html`<cf-status state=${STATES[p.state]}>${stateWords(p)}</cf-status
            >${this.#switches.error(p.name) === '' ? nothing : html`<div class="de">${this.#switches.error(p.name)}</div>`}`,
      },
      {
        key: 'gives',
        label: t('Gives you'),
        priority: 2,
        cell: (p) => html`<span class="mut">${[...p.kinds, ...p.tools].join(', ') || '–'}</span>`,
      },
      {
        key: 'cost',
        label: t('Time in taps'),
        numeric: true,
        width: 's',
        priority: 3,
        sort: (p) => timeOf(p),
        cell: (p) => html`<span class="mut">${format.duration(timeOf(p))}</span>`,
      },
    ];
  }

  override render(): unknown {
    const plugins = this.#plugins.value ?? [];
    return html`<cf-page
      heading=${t('Plugins')}
      text=${t('Everything Coffer can do comes from one of these. A bundled plugin has no powers that yours lacks.')}
    >
      <button slot="actions" class="btn pri" type="button" @click=${() => (this.adding = true)}>
        <cf-icon name="plus"></cf-icon>${t('Add plugin…')}
      </button>
      ${plugins
        .filter((p) => p.state === 'failed')
        .map(
          (p) =>
            html`<div class="note bad block">
              <cf-icon name="warn"></cf-icon>
              <div class="grow">
                <b>${t('{name} did not start', { name: p.name })}</b>
                <p>${p.note}</p>
              </div>
            </div>`,
        )}
      ${
        this.#plugins.value === undefined
          ? html`<cf-skeleton></cf-skeleton>`
          : html`<cf-table
              label=${t('Plugins')}
              find=${t('Find a plugin, hook or kind')}
              opens
              .columns=${this.columns()}
              .rows=${plugins}
              .keyOf=${(p: Plugin) => p.name}
              .textOf=${(p: Plugin) => `${p.name} ${p.kinds.join(' ')} ${p.tools.join(' ')} ${p.taps.map((x) => x.hook).join(' ')}`}
              .filters=${[
                {
                  id: 'running',
                  label: t('Running'),
                  fits: (p: Plugin) => p.state === 'active' || p.state === 'degraded',
                },
                { id: 'yours', label: t('Yours'), fits: (p: Plugin) => p.source === 'installed' },
              ]}
              @cf-open=${(e: CustomEvent<{ row: Plugin }>) => (this.open = e.detail.row)}
            ></cf-table>`
      }
      ${this.detail()} ${this.adder()}
    </cf-page>`;
  }

  private detail(): unknown {
    const p = this.open;
    return html`<cf-dialog heading=${p?.name ?? ''} ?open=${p !== undefined} @cf-close=${() => (this.open = undefined)}>
      ${
        p === undefined
          ? nothing
          : html`<div class="col gap-4">
              <p class="mut">${p.description}</p>
              ${p.note === '' ? nothing : html`<div class="note warn"><span>${p.note}</span></div>`}
              <dl class="facts">
                <dt>${t('Kinds')}</dt>
                <dd>${p.kinds.join(', ') || '–'}</dd>
                <dt>${t('Tools')}</dt>
                <dd class="mono">${p.tools.join(', ') || '–'}</dd>
                <dt>${t('Routes')}</dt>
                <dd class="mono">${p.routes.length}</dd>
                <dt>${t('Started in')}</dt>
                <dd>${p.start_ms === null ? '–' : format.duration(p.start_ms)}</dd>
              </dl>
              <div class="tw" tabindex="0" role="region" aria-label=${t('Taps')}>
                <table class="tb dense">
                  <thead>
                    <tr>
                      <th scope="col">${t('Tap')}</th>
                      <th scope="col">${t('Stage')}</th>
                      <th scope="col" class="num">${t('Calls')}</th>
                      <th scope="col" class="num">${t('Errors')}</th>
                      <th scope="col" class="num">${t('Took')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${p.taps.map(
                      (x) =>
                        html`<tr>
                          <td class="mono">${x.hook}</td>
                          <td>${x.stage}</td>
                          <td class="num">${x.calls}</td>
                          <td class="num">${x.errors}</td>
                          <td class="num">${format.duration(x.ms)}</td>
                        </tr>`,
                    )}
                  </tbody>
                </table>
              </div>
              ${p.errors.map(
                (e) =>
                  html`<div class="note bad">
                    <div>
                      <b>${e.where}</b>
                      <p>${e.error}</p>
                    </div>
                  </div>`,
              )}
            </div>`
      }
      ${
        p?.source === 'installed'
          ? html`<button slot="footer" class="btn bad" type="button" @click=${() => void this.erase(p)}>
              ${t('Remove…')}
            </button>`
          : nothing
      }
    </cf-dialog>`;
  }

  private adder(): unknown {
    const d = this.declared;
    return html`<cf-dialog heading=${t('Add plugin')} ?open=${this.adding} @cf-close=${this.close}>
      <div class="col gap-4">
        <div class="f">
          <label for="spec">${t('Folder, tarball or npm name')}</label>
          <input
            class="in mono"
            id="spec"
            placeholder="/path/to/plugin"
            spellcheck="false"
            autocomplete="off"
            @input=${() => (this.declared = undefined)}
          />
          <div class="help">${t('First you see what it declares; none of it runs before you agree.')}</div>
        </div>
        ${this.error === '' ? nothing : html`<div class="note bad" role="alert"><span>${this.error}</span></div>`}
        ${
          d === undefined
            ? nothing
            : html`<div class="note">
                <div class="grow">
                  <b>${d.name} ${d.version}</b>
                  <p>${d.description}</p>
                  <p class="sm dim">
                    ${t('{n} files', { n: d.files })}${d.skipped_scripts.length === 0 ? '' : ` · ${t('its install scripts will not run')}`}${d.replaces === null ? '' : ` · ${t('replaces {name}', { name: d.replaces })}`}
                  </p>
                  <p class="sm">${t('A plugin runs with all the rights of Coffer. Add only what you trust.')}</p>
                </div>
              </div>`
        }
      </div>
      <div slot="footer" class="row end">
        <button class="btn" type="button" @click=${this.close}>${t('Cancel')}</button>
        ${
          d === undefined
            ? html`<button class="btn pri" type="button" ?disabled=${this.busy} @click=${() => void this.look()}>
                ${t('Look at it')}
              </button>`
            : html`<button class="btn pri" type="button" ?disabled=${this.busy} @click=${() => void this.add()}>
                ${t('Add {name}', { name: d.name })}
              </button>`
        }
      </div>
    </cf-dialog>`;
  }

  private close(): void {
    this.adding = false;
    this.declared = undefined;
    this.error = '';
  }

  private get spec(): string {
    return this.renderRoot.querySelector<HTMLInputElement>('#spec')?.value.trim() ?? '';
  }

  private async look(): Promise<void> {
    await this.during(async () => (this.declared = await api.post<Declared>('/plugins/preview', { spec: this.spec })));
  }

  private async add(): Promise<void> {
    await this.during(async () => {
      const p = await api.post<Plugin>('/plugins', { spec: this.spec });
      await stores.plugins.load();
      this.close();
      toast(t('{name} was added', { name: p.name }));
    });
  }

  private async during(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.error = '';
    try {
      await work();
    } catch (e) {
      this.error = messageOf(e);
    }
    this.busy = false;
  }

  private toggle(p: Plugin, on: boolean): void {
    const send = (x: boolean): Promise<unknown> => api.post(`/plugins/${seg(p.name)}/${x ? 'enable' : 'disable'}`);
    void this.#switches.set(p.name, on, send, () => stores.plugins.load());
    if (!on)
      toast(t('{name} is off; what it gave is gone from every page', { name: p.name }), () => this.toggle(p, true));
  }

  private async erase(p: Plugin): Promise<void> {
    this.open = undefined;
    const sure = await confirm({
      title: t('Remove {name}?', { name: p.name }),
      text: t('Its code goes. Resources of its kinds stay and wait for it.'),
      verb: t('Remove'),
      danger: true,
    });
    if (!sure) return;
    try {
      await api.delete(`/plugins/${seg(p.name)}`);
      await stores.plugins.load();
    } catch (e) {
      toast(messageOf(e));
    }
  }
}

function timeOf(p: Plugin): number {
  return p.taps.reduce((sum, x) => sum + x.ms, 0);
}

function stateWords(p: Plugin): string {
  return {
    active: t('running'),
    degraded: t('needs attention'),
    failed: t('did not start'),
    disabled: t('switched off'),
  }[p.state];
}
