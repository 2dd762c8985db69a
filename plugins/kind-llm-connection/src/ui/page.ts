import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, api, messageOf, t, toast, type ResourceTab, type RouteParams } from '@coffer/ui';
import {
  HOME,
  KIND,
  agents,
  connectionPath,
  connections,
  speaks,
  stateWords,
  type Connection,
  type Tested,
} from './data.js';
import { NO_FIELDS, bodyOf, fieldsOf, type Fields } from './draft-form.js';

/** One connection. */
@customElement('llm-connection-page')
export class LlmConnectionPage extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  #connections = new Use(this, connections);

  private get connection(): Connection | undefined {
    return this.#connections.value?.find((c) => c.name === this.params['name']);
  }

  override render(): unknown {
    return html`<cf-resource
      kind=${KIND}
      name=${this.params['name'] ?? ''}
      list=${HOME}
      .tabs=${this.tabs()}
      .what=${() => ({ a: this.connection?.base_url ?? '', d: this.connection === undefined ? '' : speaks(this.connection) })}
    ></cf-resource>`;
  }

  private tabs(): ResourceTab[] {
    const c = this.connection;
    return [
      {
        id: 'models',
        label: t('Models'),
        render: () =>
          c === undefined ? html`<cf-skeleton></cf-skeleton>` : html`<llm-models .connection=${c}></llm-models>`,
      },
      {
        id: 'change',
        label: t('Change'),
        render: () => (c === undefined ? nothing : html`<llm-change .connection=${c}></llm-change>`),
      },
    ];
  }
}

/** What it offers, and whether it answers. */
@customElement('llm-models')
export class LlmModels extends CofferElement {
  @property({ attribute: false }) connection!: Connection;
  @state() private models: readonly string[] | undefined;
  @state() private asking = '';
  @state() private message = '';
  @state() private answered = '';
  #of = '';

  protected override willUpdate(): void {
    const of = `${this.connection.name} ${this.connection.base_url}`;
    if (of === this.#of) return;
    this.#of = of;
    this.models = undefined;
    this.message = '';
    void this.load();
  }

  override render(): unknown {
    const { state, word } = stateWords(this.connection);
    return html`<section class="panel" aria-label=${t('Models')}>
      <div class="ph">
        <h2>${t('Models')}</h2>
        <cf-status state=${state}>${word}</cf-status>
        <span class="end"
          ><button
            class="btn sm"
            type="button"
            data-act="test"
            ?disabled=${this.asking !== ''}
            @click=${() => void this.test()}
          >
            ${this.asking === '' ? t('Test') : t('Asking…')}
          </button></span
        >
      </div>
      ${this.answered === '' ? nothing : html`<div class="pb" role="status" data-tested>${this.answered}</div>`}
      ${
        this.models === undefined
          ? html`<div class="pb"><cf-skeleton></cf-skeleton></div>`
          : this.models.length === 0
            ? html`<div class="pb dim">${this.message === '' ? t('It lists no models.') : this.message}</div>`
            : this.models.map(
                (m) =>
                  html`<div class="srow">
                    <code>${m}</code
                    ><button
                      class="btn ghost sm"
                      type="button"
                      aria-label=${t('Ask {model}', { model: m })}
                      ?disabled=${this.asking !== ''}
                      @click=${() => void this.test(m)}
                    >
                      ${t('Ask')}
                    </button>
                  </div>`,
              )
      }
    </section>`;
  }

  private async load(): Promise<void> {
    const of = this.#of;
    try {
      const { models, message } = await api.get<{ models: string[]; message: string | null }>(
        `${connectionPath(this.connection.name)}/models`,
      );
      if (of !== this.#of) return;
      this.models = models;
      this.message = message ?? '';
    } catch (e) {
      if (of !== this.#of) return;
      this.models = [];
      this.message = messageOf(e);
    }
  }

  private async test(model?: string): Promise<void> {
    this.asking = model ?? '*';
    this.answered = '';
    try {
      const { message } = await api.post<Tested>(
        `${connectionPath(this.connection.name)}/test`,
        model === undefined ? {} : { model },
      );
      this.answered = model === undefined ? message : `${model}: ${message}`;
      await connections.load();
    } catch (e) {
      this.answered = messageOf(e);
    } finally {
      this.asking = '';
    }
  }
}

/** Its address, key and agents. Agents that run on it follow. */
@customElement('llm-change')
export class LlmChange extends CofferElement {
  @property({ attribute: false }) connection!: Connection;
  @state() private fields: Fields | undefined;
  #agents = new Use(this, agents);
  @state() private error = '';
  @state() private busy = false;

  private get stored(): Fields {
    const { protocol, base_url, wire_api, compatible_agents } = this.connection;
    return { ...NO_FIELDS, protocol, base_url, wire_api, compatible_agents: compatible_agents ?? [] };
  }

  override render(): unknown {
    const fields = this.fields ?? this.stored;
    const { used_by } = this.connection;
    return html`<section class="panel" aria-label=${t('Change')}>
      <div class="pb col gap-4">
        ${
          used_by.length === 0
            ? nothing
            : html`<p class="sm mut">
                ${t('{agents} run on it: their settings are written anew.', { agents: used_by.join(', ') })}
              </p>`
        }
        ${fieldsOf({ fields, fresh: false, asksProtocol: false, agents: this.#agents.value ?? [], set: (change) => (this.fields = { ...fields, ...change }) })}
        ${this.error === '' ? nothing : html`<div class="note bad" role="alert"><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`}
        <div class="row">
          <button
            class="btn pri"
            type="button"
            data-act="save"
            ?disabled=${this.busy || this.fields === undefined}
            @click=${() => void this.save(fields)}
          >
            ${t('Save')}
          </button>
          ${this.fields === undefined ? nothing : html`<button class="btn ghost" type="button" @click=${() => (this.fields = undefined)}>${t('Discard')}</button>`}
        </div>
      </div>
    </section>`;
  }

  private async save(fields: Fields): Promise<void> {
    this.busy = true;
    this.error = '';
    try {
      await api.patch(connectionPath(this.connection.name), bodyOf(fields));
      await connections.load();
      this.fields = undefined;
      toast(t('Saved'));
    } catch (e) {
      this.error = messageOf(e);
    } finally {
      this.busy = false;
    }
  }
}
