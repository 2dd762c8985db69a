import { css, html, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { CofferElement, draft, kitStyles, plural, t } from '@coffer/ui';
import type { Queue } from './data.js';

const LINES = 8;
const LINE_PX = 22;
/** Two presses of Escape within this many milliseconds stop the turn. */
const TWICE_MS = 800;

/**
 * What is being written, with what waits on top of it. It never locks: while a turn runs, sending queues.
 * @fires chat-send - `{text}`
 * @fires chat-stop - end the turn
 * @fires chat-queue - `{pending}`: the queue as it should be
 * @fires chat-model - `{model}`; empty: the agent's own
 */
@customElement('chat-composer')
export class ChatComposer extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      :host {
        display: block;
        padding: 4px 20px 16px;
      }
      :host > * {
        max-width: 760px;
        margin: 0 auto;
      }
      .queue {
        border: 1px solid var(--line);
        border-bottom: 0;
        border-radius: var(--r-3) var(--r-3) 0 0;
        background: var(--canvas);
        width: calc(100% - 24px);
        max-width: 736px;
        max-height: 30vh;
        overflow-y: auto;
      }
      .queue li {
        display: flex;
        gap: 8px;
        align-items: center;
        padding: 3px 6px 3px 12px;
        min-height: 32px;
        border-top: 1px solid var(--line);
        font: var(--t-13);
      }
      .queue li:first-child {
        border-top: 0;
      }
      .box {
        border: 1px solid var(--control);
        border-radius: var(--r-4);
        background: var(--surface);
        padding: 10px 10px 8px 14px;
        box-shadow: var(--shadow-1);
      }
      .box:focus-within {
        border-color: var(--accent);
        outline: 1px solid var(--accent);
      }
      textarea {
        display: block;
        width: 100%;
        border: 0;
        background: none;
        resize: none;
        font: var(--t-14);
        color: inherit;
        min-height: 24px;
        padding: 0;
      }
      textarea:focus-visible {
        outline: 0;
      }
      .box .row {
        margin-top: 8px;
      }
      .model {
        width: 15rem;
        min-width: 0;
        flex: 0 1 auto;
        border: 0;
        background: none;
        color: var(--ink-2);
        font: 500 var(--t-12);
        height: 28px;
        padding: 0 6px;
        border-radius: var(--r-2);
      }
      .model:hover {
        background: var(--sunken);
      }
      .more {
        display: none;
      }
      @media (max-width: 760px) {
        :host {
          padding: 4px 10px 10px;
        }
        .queue:not(.all) li.item {
          display: none;
        }
        .more {
          display: flex;
        }
        .model {
          width: 8rem;
        }
      }
    `,
  ];
  /** What is written is kept under this name. */
  @property() name = '';
  @property() agent = '';
  @property() model = '';
  @property({ attribute: false }) models: readonly string[] = [];
  @property({ attribute: false }) queue: Queue | undefined;
  @property({ type: Boolean }) running = false;
  /** Why nothing can be sent now; empty: it can. */
  @property() unready = '';
  @state() private text = '';
  @state() private all = false;
  @query('textarea') private area!: HTMLTextAreaElement;
  #escaped = 0;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('name')) this.text = draft.get<string>(`chat:${this.name}`) ?? '';
  }
  protected override updated(): void {
    const { area } = this;
    area.style.setProperty('height', 'auto');
    area.style.setProperty('height', `${Math.min(area.scrollHeight, LINES * LINE_PX)}px`);
  }
  override focus(): void {
    this.area.focus();
  }
  /** After what was sent has arrived, or to put something back. */
  write(text: string): void {
    this.text = text;
    draft.set(`chat:${this.name}`, text);
  }

  override render(): unknown {
    return html`${this.waiting()}
      <div class="box">
        <textarea
          rows="1"
          maxlength="32768"
          placeholder=${t('Message {agent}', { agent: this.agent })}
          aria-label=${t('Message')}
          .value=${this.text}
          @input=${() => this.write(this.area.value)}
          @keydown=${this.key}
        ></textarea>
        <div class="row">
          <input
            class="model"
            list="models"
            maxlength="200"
            aria-label=${t('Model')}
            placeholder=${t('its own model')}
            .value=${this.model}
            @change=${(e: Event) => this.emit('chat-model', { model: (e.target as HTMLInputElement).value.trim() })}
          /><datalist id="models">${this.models.map((m) => html`<option value=${m}></option>`)}</datalist>
          <span class="end row">
            ${
              this.running
                ? html`<span class="sm dim hide-s"><kbd>Esc</kbd> <kbd>Esc</kbd></span>
                    <button class="btn sm" type="button" @click=${() => this.emit('chat-stop', {})}>
                      ${t('Stop')}
                    </button>`
                : nothing
            }
            <button
              class="btn pri sm"
              type="button"
              aria-disabled=${this.unready === '' ? nothing : 'true'}
              title=${this.unready === '' ? nothing : this.unready}
              @click=${this.send}
            >
              ${this.running ? t('Queue') : t('Send')}
            </button>
          </span>
        </div>
      </div>`;
  }

  private waiting(): unknown {
    const { items = [], paused = false } = this.queue ?? {};
    if (items.length === 0) return nothing;
    return html`<ul class="queue ${this.all ? 'all' : ''}" aria-label=${t('Waiting messages')}>
      ${
        paused
          ? html`<li>
              <span class="grow">${plural(items.length, '{n} message is held back', '{n} messages are held back')}</span
              ><button class="btn sm" type="button" @click=${() => this.put(items.map((i) => i.text))}>
                ${t('Go on')}
              </button>
            </li>`
          : nothing
      }
      <li class="more">
        <span class="grow cut">${t('{n} waiting, next: {text}', { n: items.length, text: items[0]?.text ?? '' })}</span
        ><button
          class="btn ghost sm"
          type="button"
          aria-expanded=${this.all ? 'true' : 'false'}
          @click=${() => (this.all = !this.all)}
        >
          ${this.all ? t('Hide') : t('Show')}
        </button>
      </li>
      ${items.map(
        (item, i) =>
          html`<li class="item">
            <span class="dim tnum">${i + 1}</span><span class="grow cut">${item.text}</span>${
              item.from === null ? nothing : html`<span class="chip line">${item.from}</span>`
            }<button
              class="btn ghost icon sm"
              type="button"
              aria-label=${t('Edit: it goes to the end of the queue')}
              @click=${() => this.edit(i)}
            >
              <cf-icon name="edit"></cf-icon></button
            ><button
              class="btn ghost icon sm"
              type="button"
              aria-label=${t('Remove from the queue')}
              @click=${() => this.put(this.without(i))}
            >
              <cf-icon name="close"></cf-icon>
            </button>
          </li>`,
      )}
    </ul>`;
  }

  private without(i: number): string[] {
    return (this.queue?.items ?? []).filter((_, at) => at !== i).map((x) => x.text);
  }
  private put(pending: string[]): void {
    this.emit('chat-queue', { pending });
  }
  private edit(i: number): void {
    const text = this.queue?.items[i]?.text ?? '';
    this.put(this.without(i));
    // What was being written is not lost for it.
    this.write(this.text.trim() === '' ? text : `${text}\n\n${this.text}`);
    void this.updateComplete.then(() => this.focus());
  }

  private key = (e: KeyboardEvent): void => {
    // The Enter that ends the writing of a Chinese word sends nothing.
    if (e.isComposing) return;
    if (e.key === 'Enter' && !e.shiftKey) {
      e.preventDefault();
      this.send();
    } else if (e.key === 'Escape' && this.running) {
      const now = Date.now();
      if (now - this.#escaped < TWICE_MS) this.emit('chat-stop', {});
      this.#escaped = now;
    }
  };

  private send = (): void => {
    if (this.text.trim() === '' || this.unready !== '') return;
    this.emit('chat-send', { text: this.text });
  };
}
