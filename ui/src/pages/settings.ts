import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Source,
  Use,
  api,
  currentLanguage,
  format,
  messageOf,
  seg,
  slotsFor,
  stores,
  t,
  toast,
  translated,
  worded,
  type RouteParams,
} from '../kit/index.js';
import './settings-about.js';
import { setLanguage, type Language } from '../kit/core/i18n.js';
import { currentTheme, setTheme, type Theme } from '../shell/theme.js';

interface Policy {
  table_name: string;
  display_name: string;
  description: string;
  retention_days: number | null;
  default_retention_days: number;
  last_pruned_at: string | null;
}
interface Backup {
  path: string;
  size_bytes: number;
  includes_master_key: boolean;
}

const policies = new Source(
  () => api.get<{ policies: Policy[] }>('/retention/policies').then((a) => a.policies),
  ['audit'],
);
const keyHome = new Source(
  () => api.get<{ master_key_storage: 'file' | 'keychain' }>('/settings/credentials'),
  ['audit'],
);
/** Saved as changed; each change can be undone. */
@customElement('coffer-settings')
export class CofferSettings extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  @state() private error = '';
  @state() private backup: Backup | undefined;
  @state() private busy = false;
  #policies = new Use(this, policies);
  #home = new Use(this, keyHome);
  #plugins = new Use(this, stores.plugins);

  override render(): unknown {
    void this.#plugins.value;
    const slots = slotsFor('settings.sections');
    const sections = [
      { id: 'appearance', label: t('Appearance'), render: () => this.appearance() },
      { id: 'retention', label: t('Retention'), render: () => this.retention() },
      { id: 'backup', label: t('Backup'), render: () => this.backups() },
      { id: 'key', label: t('Master key'), render: () => this.key() },
      ...slots.map((s) => ({
        id: s.id,
        label: worded(s.label),
        render: () => html`<cf-extension plugin=${s.plugin} module=${s.module} element=${s.element}></cf-extension>`,
      })),
      { id: 'about', label: t('About'), render: () => html`<coffer-settings-about></coffer-settings-about>` },
    ];
    const at = sections.find((s) => s.id === this.params['section']) ?? sections[0];
    return html`<cf-page heading=${t('Settings')}>
      <div class="grid g-13">
        <nav class="snav" aria-label=${t('Settings')}>
          ${sections.map((s) => html`<a href="/settings/${s.id}" aria-current=${s === at ? 'page' : nothing}>${s.label}</a>`)}
        </nav>
        <div class="col gap-4">
          ${this.error === '' ? nothing : html`<div class="note bad" role="alert"><span>${this.error}</span></div>`}
          ${at?.render()}
        </div>
      </div>
    </cf-page>`;
  }

  private appearance(): unknown {
    return html`<section class="panel">
      <div class="ph"><h2>${t('Appearance')}</h2></div>
      <div class="srow">
        <div>
          <b>${t('Theme')}</b>
          <p>${t('System follows what your computer shows.')}</p>
        </div>
        <cf-segmented
          label=${t('Theme')}
          value=${currentTheme()}
          .items=${[
            { id: 'system', label: t('System') },
            { id: 'light', label: t('Light') },
            { id: 'dark', label: t('Dark') },
          ]}
          @cf-change=${(e: CustomEvent<{ id: Theme }>) => {
            setTheme(e.detail.id);
            this.requestUpdate();
          }}
        ></cf-segmented>
      </div>
      <div class="srow">
        <div>
          <b>${t('Language')}</b>
          <p>${t('Changes at once; names, tools and code are never translated.')}</p>
        </div>
        <cf-segmented
          label=${t('Language')}
          value=${currentLanguage()}
          .items=${[
            { id: 'en', label: 'English' },
            { id: 'zh', label: '中文' },
          ]}
          @cf-change=${(e: CustomEvent<{ id: Language }>) => void setLanguage(e.detail.id)}
        ></cf-segmented>
      </div>
    </section>`;
  }

  private retention(): unknown {
    return html`<section class="panel">
      <div class="ph">
        <h2>${t('Retention')}</h2>
        <span class="dim">${t('how long each log is kept')}</span>
      </div>
      ${
        this.#policies.value?.map(
          (p) =>
            html`<div class="srow">
              <div>
                <b>${translated(p.display_name)}</b>
                <p>${translated(p.description)}</p>
                <p class="dim">
                  ${p.last_pruned_at === null ? t('never tidied yet') : t('tidied {time}', { time: format.ago(p.last_pruned_at) })}
                </p>
              </div>
              <select
                class="sel"
                aria-label=${t('Keep {name}', { name: translated(p.display_name) })}
                data-policy=${p.table_name}
                @change=${(e: Event) => {
                  const { value } = e.target as HTMLSelectElement;
                  void this.keep(p, value === '' ? null : Number(value));
                }}
              >
                ${[7, 30, 90, 180, 365, p.default_retention_days, p.retention_days]
                  .filter((d, i, all): d is number => d !== null && all.indexOf(d) === i)
                  .sort((a, b) => a - b)
                  .map(
                    (d) =>
                      html`<option value=${d} .selected=${d === p.retention_days}>${t('{n} days', { n: d })}</option>`,
                  )}
                <option value="" .selected=${p.retention_days === null}>${t('for ever')}</option>
              </select>
            </div>`,
        ) ?? html`<cf-skeleton></cf-skeleton>`
      }
    </section>`;
  }

  private async keep(p: Policy, days: number | null): Promise<void> {
    this.error = '';
    try {
      await api.patch(`/retention/policies/${seg(p.table_name)}`, { retention_days: days });
      await policies.load();
      toast(t('Saved'), () => void this.keep(p, p.retention_days));
    } catch (e) {
      this.error = messageOf(e);
      await policies.load();
    }
  }

  private backups(): unknown {
    return html`<section class="panel">
      <div class="ph"><h2>${t('Backup')}</h2></div>
      <form
        class="pb col gap-4"
        @submit=${(e: Event) => {
          e.preventDefault();
          void this.save(e.target as HTMLFormElement);
        }}
      >
        <p class="mut">
          ${t('A backup is a new folder with everything but the running programs. Coffer goes on meanwhile.')}
        </p>
        <div class="f">
          <label for="path">${t('New folder')}</label
          ><input
            class="in mono"
            id="path"
            name="path"
            required
            placeholder="/home/me/coffer-backup"
            spellcheck="false"
          />
        </div>
        <label class="row"
          ><input
            class="ck"
            type="checkbox"
            name="key"
          />${t('With the master key: whoever has the folder can then read the credentials')}</label
        >
        <div class="row">
          <button class="btn pri" type="submit" ?disabled=${this.busy}>${t('Back up now')}</button>
          ${this.backup === undefined ? nothing : html`<span class="sm" role="status">${t('{size} in {path}', { size: format.bytes(this.backup.size_bytes), path: this.backup.path })}</span>`}
        </div>
        <p class="sm dim">
          ${t('Restoring stops Coffer first, so it is done in a terminal:')} <code>coffer restore</code>
        </p>
      </form>
    </section>`;
  }

  private async save(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    this.busy = true;
    this.error = '';
    try {
      this.backup = await api.post<Backup>('/vault/backup', {
        path: String(data.get('path')),
        include_master_key: data.get('key') !== null,
      });
    } catch (e) {
      this.error = messageOf(e);
    }
    this.busy = false;
  }

  private key(): unknown {
    return html`<section class="panel">
      <div class="ph"><h2>${t('Master key')}</h2></div>
      <div class="srow">
        <div>
          <b>${t('Where it lives')}</b>
          <p>${t('It opens all credentials. The keychain asks your system; a file only you can read always works.')}</p>
        </div>
        <cf-segmented
          label=${t('Where it lives')}
          value=${this.#home.value?.master_key_storage ?? ''}
          .items=${[
            { id: 'file', label: t('File') },
            { id: 'keychain', label: t('Keychain') },
          ]}
          @cf-change=${(e: CustomEvent<{ id: string }>) => void this.move(e.detail.id)}
        ></cf-segmented>
      </div>
    </section>`;
  }

  private async move(to: string): Promise<void> {
    this.error = '';
    try {
      await api.put('/settings/credentials', { master_key_storage: to });
      toast(t('Saved'));
    } catch (e) {
      this.error = messageOf(e);
    }
    await keyHome.load();
  }
}
