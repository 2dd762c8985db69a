import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, api, messageOf, t, toast } from '@coffer/ui';
import { at, type Entry } from './data.js';

/** Moves a server into the vault: where each of its secrets goes is chosen before. */
@customElement('agent-adopt')
export class AgentAdopt extends CofferElement {
  @property() agent = '';
  @property({ attribute: false }) entry: Entry | undefined;
  @state() private refs: Record<string, string> = {};
  @state() private name = '';
  @state() private error = '';
  @state() private left: readonly string[] = [];
  @state() private busy = false;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('entry')) return;
    this.refs = Object.fromEntries((this.entry?.secrets ?? []).map((s) => [s.key, s.ref]));
    this.name = this.error = '';
    this.left = [];
  }

  override render(): unknown {
    const { entry } = this;
    const done = this.left.length > 0;
    return html`<cf-dialog
      heading=${entry === undefined ? '' : t('Adopt {name}', { name: entry.name })}
      ?open=${entry !== undefined}
    >
      ${entry === undefined ? nothing : done ? this.copies() : this.form(entry)}
      ${this.error === '' ? nothing : html`<div class="note bad" role="alert"><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`}
      <div slot="footer" class="row end">
        <button class="btn" type="button" @click=${() => this.emit('cf-close', {})}>
          ${done ? t('Close') : t('Cancel')}
        </button>
        ${
          done
            ? nothing
            : html`<button
                class="btn pri"
                type="button"
                data-act="save"
                ?disabled=${this.busy}
                @click=${() => void this.save()}
              >
                ${t('Adopt')}
              </button>`
        }
      </div>
    </cf-dialog>`;
  }

  private form(entry: Entry): unknown {
    return html`<div class="col gap-4">
      <p>
        ${t('The server comes into the vault, its secrets become credentials, and only then the entry goes from {path}.', { path: entry.path })}
      </p>
      <div class="f">
        <label for="name">${t('Name')}</label>
        <input
          class="in mono"
          id="name"
          autocomplete="off"
          placeholder=${entry.name}
          .value=${this.name}
          @input=${(e: InputEvent) => (this.name = (e.target as HTMLInputElement).value.trim())}
        />
      </div>
      ${entry.secrets.map(
        ({ key }) =>
          html`<div class="f">
            <label for="ref-${key}">${t('Credential for {key}', { key })}</label>
            <input
              class="in mono"
              id="ref-${key}"
              autocomplete="off"
              .value=${this.refs[key] ?? ''}
              @input=${(e: InputEvent) => (this.refs = { ...this.refs, [key]: (e.target as HTMLInputElement).value.trim() })}
            />
          </div>`,
      )}
    </div>`;
  }

  private copies(): unknown {
    return html`<div class="note warn" role="status" data-left>
      <cf-icon name="warn"></cf-icon>
      <div>
        <b>${t('Adopted. Copies that the agent itself has made still hold a secret:')}</b>
        ${this.left.map((file) => html`<p><code>${file}</code></p>`)}
      </div>
    </div>`;
  }

  private async save(): Promise<void> {
    const { entry } = this;
    if (entry === undefined) return;
    this.busy = true;
    this.error = '';
    try {
      const { still_in: left } = await api.post<{ still_in: string[] }>(
        at(this.agent, 'mcp-entries', entry.name, 'adopt'),
        {
          source: entry.source,
          secrets: this.refs,
          ...(this.name !== '' && { new_name: this.name }),
        },
      );
      this.left = left;
      toast(t('{name} is in the vault now', { name: this.name === '' ? entry.name : this.name }));
      if (left.length === 0) this.emit('cf-close', {});
    } catch (e) {
      this.error = messageOf(e);
    }
    this.busy = false;
  }
}
