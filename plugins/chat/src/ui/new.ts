import { css, html, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import {
  ApiError,
  CofferElement,
  Use,
  api,
  kitStyles,
  messageOf,
  navigate,
  recall,
  remember,
  t,
  type CfForm,
} from '@coffer/ui';
import './composer.js';
import type { ChatComposer } from './composer.js';
import { agents, hrefOf, pathOf, type Agent, type Conversation, type Faults } from './data.js';

const LAST = 'chat-agent';

/** A conversation that does not exist yet: whom to talk to, what that agent wants to know, and the first message. */
@customElement('chat-new')
export class ChatNew extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        height: 100%;
      }
      .top {
        flex: 1;
        overflow-y: auto;
        padding: 24px 20px 8px;
      }
      .top > * {
        max-width: 760px;
        margin: 0 auto 18px;
      }
      .who {
        display: grid;
        gap: 8px;
        grid-template-columns: repeat(auto-fill, minmax(220px, 1fr));
        border: 0;
        padding: 0;
      }
      .one {
        display: flex;
        gap: 10px;
        align-items: start;
        border: 1px solid var(--line);
        border-radius: var(--r-3);
        padding: 12px 14px;
        background: var(--surface);
        cursor: pointer;
      }
      .one:has(:checked) {
        border-color: var(--accent);
        box-shadow: inset 0 0 0 1px var(--accent);
      }
      .one:has(:disabled) {
        cursor: default;
        background: none;
      }
    `,
  ];
  @property({ attribute: false }) shown = true;
  @state() private key = recall(LAST) ?? '';
  @state() private config: Record<string, unknown> = {};
  @state() private model = '';
  @state() private faults: Faults = [];
  @state() private problem = '';
  @state() private busy = false;
  @query('chat-composer') private composer!: ChatComposer | null;
  @query('cf-form') private form!: CfForm | null;
  #agents = new Use(this, agents);

  override render(): unknown {
    const all = this.#agents.value;
    const chosen = this.chosen(all);
    return html`<div class="top">
        <header>
          <h1 tabindex="-1">${t('New conversation')}</h1>
          <p class="mut">${t('Agents work with all of your permissions, in the folder you choose.')}</p>
        </header>
        ${this.#agents.error === undefined ? nothing : html`<cf-error .error=${this.#agents.error} @cf-retry=${() => void this.#agents.reload()}></cf-error>`}
        ${all === undefined && this.#agents.error === undefined ? html`<cf-skeleton></cf-skeleton>` : nothing}
        ${
          all?.length === 0
            ? html`<cf-empty
                icon="client"
                heading=${t('There is no agent to talk to')}
                text=${t('No plugin that runs brings one.')}
                ><a class="btn" href="/plugins">${t('Plugins')}</a></cf-empty
              >`
            : nothing
        }
        <fieldset class="who">
          <legend class="vh">${t('Agent')}</legend>
          ${all?.map((a) => this.agent(a, a === chosen))}
        </fieldset>
        ${chosen === undefined ? nothing : this.questions(chosen)}
        ${this.problem === '' ? nothing : html`<div class="note bad" role="alert">${this.problem}</div>`}
      </div>
      <chat-composer
        name="new"
        agent=${chosen?.display_name ?? ''}
        .model=${this.model}
        .models=${chosen?.models ?? []}
        unready=${chosen === undefined ? t('Choose an agent that is available') : this.busy ? t('The conversation is being made') : ''}
        @chat-model=${(e: CustomEvent<{ model: string }>) => (this.model = e.detail.model)}
        @chat-send=${(e: CustomEvent<{ text: string }>) => void this.begin(e.detail.text)}
      ></chat-composer>`;
  }

  /** The one chosen, or used last, or the first that can be used. */
  private chosen(all: readonly Agent[] = []): Agent | undefined {
    const usable = all.filter((a) => a.available);
    return usable.find((a) => a.agent_key === this.key) ?? usable[0];
  }

  private agent(a: Agent, chosen: boolean): unknown {
    return html`<label class="one">
      <input
        type="radio"
        name="agent"
        .checked=${chosen}
        ?disabled=${!a.available}
        @change=${() => {
          this.key = a.agent_key;
          this.config = {};
          this.faults = [];
          remember(LAST, a.agent_key);
        }}
      />
      <span
        ><b>${a.display_name}</b><br /><span class="sm dim"
          >${a.available ? t('available') : t('not available: {reason}', { reason: a.reason ?? '' })}</span
        ></span
      >
    </label>`;
  }

  /** The agent's own form; the model has its place below. */
  private questions(a: Agent): unknown {
    const properties = { ...(a.config_schema['properties'] as Record<string, object> | undefined) };
    delete properties['model'];
    // Means the same for every agent, so it is called the same.
    if (properties['cwd'] !== undefined)
      properties['cwd'] = {
        ...properties['cwd'],
        title: t('Folder'),
        description: t('Where the agent works; empty: the workspace of the vault'),
      };
    if (Object.keys(properties).length === 0) return nothing;
    return html`<cf-form
      .schema=${{ ...a.config_schema, properties }}
      .value=${this.config}
      .problems=${this.faults}
      @cf-change=${(e: CustomEvent<{ value: Record<string, unknown> }>) => (this.config = e.detail.value)}
      @cf-submit=${(e: Event) => e.stopPropagation()}
    ></cf-form>`;
  }

  private async begin(text: string): Promise<void> {
    const agent = this.chosen(this.#agents.value);
    if (agent === undefined || this.busy) return;
    this.busy = true;
    this.problem = '';
    this.faults = [];
    try {
      await this.form?.submit();
      const { id } = await api.post<Conversation>('/chat/conversations', {
        agent_key: agent.agent_key,
        agent_config: { ...this.config, ...(this.model !== '' && { model: this.model }) },
      });
      await api.post(pathOf(id, '/messages'), { text });
      this.composer?.write('');
      navigate(hrefOf(id));
    } catch (e) {
      this.problem = messageOf(e);
      if (e instanceof ApiError) this.faults = e.problems;
    } finally {
      this.busy = false;
    }
  }
}
