import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { CofferElement, Source, Use, api, confirm, format, messageOf, t, toast } from '../kit/index.js';

const about = new Source(
  () => api.get<{ version: string; pid: number; port: number; started_at: string }>('/daemon/status'),
  [],
);

/** The daemon that serves this page, and starting it anew. */
@customElement('coffer-settings-about')
export class CofferSettingsAbout extends CofferElement {
  @state() private error = '';
  #about = new Use(this, about);

  override render(): unknown {
    const a = this.#about.value;
    return html`<section class="panel">
      <div class="ph"><h2>${t('About')}</h2></div>
      ${this.error === '' ? nothing : html`<div class="note bad" role="alert">${this.error}</div>`}
      <div class="pb">
        ${
          a === undefined
            ? html`<cf-skeleton></cf-skeleton>`
            : html`<dl class="facts">
                  <dt>${t('Version')}</dt>
                  <dd>${a.version}</dd>
                  <dt>${t('Address')}</dt>
                  <dd class="mono">127.0.0.1:${a.port}</dd>
                  <dt>${t('Process')}</dt>
                  <dd class="tnum">${a.pid}</dd>
                  <dt>${t('Running since')}</dt>
                  <dd>${format.exact(a.started_at)}</dd>
                  <dt>${t('Interface description')}</dt>
                  <dd><a href="/api/v1/openapi.json" target="_blank" rel="noreferrer">openapi.json</a></dd>
                </dl>
                <p class="mt-6">
                  <button class="btn" type="button" @click=${() => void this.restart()}>
                    ${t('Restart the daemon')}
                  </button>
                </p>`
        }
      </div>
    </section>`;
  }

  private async restart(): Promise<void> {
    const sure = await confirm({
      title: t('Restart the daemon?'),
      text: t('Calls that run are ended. Clients and this page connect again by themselves.'),
      verb: t('Restart the daemon'),
    });
    if (!sure) return;
    try {
      await api.post('/daemon/restart');
      toast(t('It restarts.'));
    } catch (e) {
      this.error = messageOf(e);
    }
  }
}
