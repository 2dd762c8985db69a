import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, api, format, messageOf, navigate, t, toast } from '@coffer/ui';
import { agents, connectionHref, connections, presets, type Preset, type Tested } from './data.js';
import { NO_FIELDS, bodyOf, endpointOf, fieldsOf, type Fields } from './draft-form.js';

const CUSTOM = '';

/** Adds a connection: a well-known endpoint needs only its key. It can be tried before it is stored. */
@customElement('llm-add')
export class LlmAdd extends CofferElement {
  @property({ type: Boolean }) open = false;
  @state() private preset = CUSTOM;
  @state() private name = '';
  @state() private fields: Fields = NO_FIELDS;
  @state() private tested: Tested | undefined;
  @state() private error = '';
  @state() private busy: '' | 'test' | 'add' = '';
  #presets = new Use(this, presets);
  #agents = new Use(this, agents);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('open')) return;
    // A key that was typed does not outlive the dialog.
    this.fields = NO_FIELDS;
    this.name = '';
    this.preset = CUSTOM;
    this.forget();
  }

  override render(): unknown {
    const known = this.#presets.value ?? [];
    const preset = known.find((p) => p.id === this.preset);
    return html`<cf-dialog heading=${t('Add connection')} ?open=${this.open}>
      ${!this.open ? nothing : this.form(known, preset)}
      ${this.tested === undefined ? nothing : this.outcome(this.tested)}
      ${this.error === '' ? nothing : html`<div class="note bad" role="alert"><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`}
      <div slot="footer" class="row end wrap">
        <button class="btn" type="button" @click=${() => this.emit('cf-close', {})}>${t('Cancel')}</button>
        <button
          class="btn"
          type="button"
          data-act="test"
          ?disabled=${this.busy !== '' || this.fields.base_url === ''}
          @click=${() => void this.test()}
        >
          ${this.busy === 'test' ? t('Asking…') : t('Test')}
        </button>
        <button
          class="btn pri"
          type="button"
          data-act="save"
          ?disabled=${this.busy !== '' || this.name === '' || this.fields.base_url === ''}
          @click=${() => void this.add()}
        >
          ${t('Add')}
        </button>
      </div>
    </cf-dialog>`;
  }

  private form(known: readonly Preset[], preset: Preset | undefined): unknown {
    return html`<div class="col gap-4">
      <div class="f">
        <label for="preset">${t('Endpoint')}</label>
        <select
          class="sel"
          id="preset"
          @change=${(e: Event) => this.take(known, (e.target as HTMLSelectElement).value)}
        >
          <option value=${CUSTOM} ?selected=${this.preset === CUSTOM}>${t('Another one')}</option>
          ${known.map((p) => html`<option value=${p.id} ?selected=${p.id === this.preset}>${p.label}</option>`)}
        </select>
      </div>
      <div class="f">
        <label for="name">${t('Name')}</label>
        <input
          class="in mono"
          id="name"
          autocomplete="off"
          spellcheck="false"
          .value=${this.name}
          @input=${(e: InputEvent) => (this.name = (e.target as HTMLInputElement).value.trim())}
        />
      </div>
      ${fieldsOf({
        fields: this.fields,
        fresh: true,
        asksProtocol: preset === undefined,
        keysAt: preset?.keys_at,
        agents: this.#agents.value ?? [],
        set: (change) => {
          this.fields = { ...this.fields, ...change };
          this.forget();
        },
      })}
    </div>`;
  }

  private outcome({ ok, message, duration_ms, models }: Tested): unknown {
    return html`<div class="note ${ok ? 'ok' : 'bad'}" role="status" data-tested>
      <cf-icon name=${ok ? 'check' : 'warn'}></cf-icon>
      <div>
        <b>${ok ? t('Answered in {time}.', { time: format.duration(duration_ms) }) : t('No answer to use')}</b>
        <p>${message}</p>
        ${models.length === 0 ? nothing : html`<p class="sm mut">${models.slice(0, 8).join(', ')}${models.length > 8 ? ' …' : ''}</p>`}
      </div>
    </div>`;
  }

  private forget(): void {
    this.tested = undefined;
    this.error = '';
  }

  private take(known: readonly Preset[], id: string): void {
    const preset = known.find((p) => p.id === id);
    this.preset = id;
    this.forget();
    if (preset === undefined) return;
    const { protocol, base_url, wire_api = 'responses' } = preset;
    this.fields = { ...this.fields, protocol, base_url, wire_api };
    if (this.name === '' || known.some((p) => p.id === this.name)) this.name = preset.id;
  }

  private async test(): Promise<void> {
    this.busy = 'test';
    this.forget();
    try {
      this.tested = await api.post<Tested>('/llm-connections/test', endpointOf(this.fields));
    } catch (e) {
      this.error = messageOf(e);
    } finally {
      this.busy = '';
    }
  }

  private async add(): Promise<void> {
    const { name, fields } = this;
    this.busy = 'add';
    this.error = '';
    try {
      await api.post('/llm-connections', { name, protocol: fields.protocol, ...bodyOf(fields) });
      await connections.load();
      this.emit('cf-close', {});
      toast(t('{name} was added', { name }));
      navigate(connectionHref(name));
    } catch (e) {
      this.error = messageOf(e);
    } finally {
      this.busy = '';
    }
  }
}
