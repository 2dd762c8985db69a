import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { CofferElement, Use, api, messageOf, t, toast } from '@coffer/ui';
import { clients, type Client } from './data.js';

interface Change {
  path: string;
  diff: string;
  then: string;
}

/** MCP clients that are no agents: Coffer put in and taken out, each change shown before. */
@customElement('agent-clients')
export class AgentClients extends CofferElement {
  @state() private asked: { client: Client; verb: 'connect' | 'disconnect'; change: Change } | undefined;
  @state() private busy = false;
  #clients = new Use(this, clients);

  override render(): unknown {
    const all = (this.#clients.value ?? []).filter((c) => c.found || c.connected);
    if (all.length === 0) return nothing;
    return html`<section class="panel" aria-label=${t('Other clients')}>
        <div class="ph"><h2>${t('Other clients')}</h2></div>
        ${all.map((c) => this.row(c))}
      </section>
      ${this.dialog()}`;
  }

  private row(c: Client): unknown {
    return html`<div class="li" data-client=${c.id}>
      <div class="grow">
        <b>${c.label}</b>
        <cf-status state=${c.problem !== null ? 'bad' : c.connected ? 'ok' : 'off'}
          >${c.problem !== null ? t('cannot be read') : c.connected ? t('connected') : t('not connected')}</cf-status
        >
        <div class="sm mut cut"><code>${c.path}</code></div>
        ${c.problem === null ? nothing : html`<div class="sm" lang="en">${c.problem}</div>`}
      </div>
      ${
        c.problem !== null
          ? nothing
          : html`<button class="btn sm" type="button" ?disabled=${this.busy} @click=${() => void this.look(c)}>
              ${c.connected ? t('Disconnect {client}…', { client: c.label }) : t('Connect {client}…', { client: c.label })}
            </button>`
      }
    </div>`;
  }

  private dialog(): unknown {
    const { asked } = this;
    const close = (): void => (this.asked = undefined);
    return html`<cf-dialog heading=${t('What changes')} ?open=${asked !== undefined} @cf-close=${close}>
      ${
        asked === undefined
          ? nothing
          : html`<div class="col gap-4">
              <p>${t('Everything else in the file stays. A backup of it is kept beside it.')}</p>
              <cf-code wrap label=${asked.change.path} .value=${asked.change.diff}></cf-code>
            </div>`
      }
      <div slot="footer" class="row end">
        <button class="btn" type="button" @click=${close}>${t('Cancel')}</button>
        <button class="btn pri" type="button" data-act="write" ?disabled=${this.busy} @click=${() => void this.write()}>
          ${asked?.verb === 'disconnect' ? t('Disconnect') : t('Connect')}
        </button>
      </div>
    </cf-dialog>`;
  }

  private async look(client: Client): Promise<void> {
    const verb = client.connected ? 'disconnect' : 'connect';
    await this.act(async () => {
      const change = await api.post<Change>(`/clients/${client.id}/${verb}`, { dry_run: true });
      this.asked = { client, verb, change };
    });
  }

  private async write(): Promise<void> {
    const { asked } = this;
    if (asked === undefined) return;
    await this.act(async () => {
      await api.post(`/clients/${asked.client.id}/${asked.verb}`, {});
      this.asked = undefined;
      await clients.load();
    });
  }

  private async act(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } catch (e) {
      this.asked = undefined;
      toast(messageOf(e));
    }
    this.busy = false;
  }
}
