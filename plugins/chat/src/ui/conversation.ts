import { css, html, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { ApiError, CofferElement, Use, api, kitStyles, messageOf, t } from '@coffer/ui';
import './composer.js';
import type { ChatComposer } from './composer.js';
import { HOME, PAGE, agents, conversation, pathOf, type ChatEvent, type Conversation, type Message } from './data.js';
import './head.js';
import './message.js';
import { openLine, type Line, type LineState } from './stream.js';
import { EMPTY, apply, read, type Thread } from './thread.js';

/** Within this many pixels of the end the page follows what comes. */
const NEAR = 64;

/** One conversation: its messages as they come, and the composer. Every screen that shows it shows the same. */
@customElement('chat-conversation')
export class ChatConversation extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        min-width: 0;
        height: 100%;
      }
      .thread {
        flex: 1;
        overflow-y: auto;
        padding: 24px 20px 8px;
        overflow-anchor: none;
      }
      .thread > * {
        max-width: 760px;
        margin: 0 auto 18px;
      }
      .tolatest {
        display: flex;
        position: sticky;
        bottom: 4px;
        width: max-content;
        margin: 0 auto 4px;
        border-radius: var(--r-full);
      }
      .say {
        margin: 0 20px 4px;
      }
      @media (max-width: 760px) {
        .thread {
          padding: 16px 12px 8px;
        }
      }
    `,
  ];
  @property({ attribute: 'conversation-id' }) conversationId = '';
  @state() private thread: Thread = EMPTY;
  @state() private line: LineState = 'open';
  @state() private problem = '';
  @state() private gone = false;
  @state() private loaded = false;
  @state() private follows = true;
  @state() private announced = '';
  @query('.thread') private box!: HTMLElement | null;
  @query('chat-composer') private composer!: ChatComposer | null;
  #about = new Use<Conversation>(this, undefined);
  #agents = new Use(this, agents);
  #line: Line | undefined;
  /** Events of one frame are drawn at once. */
  #waiting: ChatEvent[] = [];
  #frame = 0;
  #reading = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.conversationId !== '') this.open();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.shut();
  }
  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('conversationId') && this.hasUpdated) this.open();
  }

  private open(): void {
    this.shut();
    const id = this.conversationId;
    this.thread = EMPTY;
    this.loaded = false;
    this.problem = '';
    this.gone = false;
    this.follows = true;
    this.#about.point(conversation(id));
    this.#line = openLine(
      pathOf(id, '/events'),
      (e) => this.hear(e),
      (state) => this.turned(state),
    );
    // At once, for the eye; once the line is open they are read again, so that nothing is missed in between.
    void this.readNewest();
  }
  private shut(): void {
    this.#line?.close();
    this.#line = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#waiting = [];
    this.#reading++;
  }

  private hear(event: ChatEvent): void {
    this.#waiting.push(event);
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.draw());
  }
  private draw(): void {
    this.#frame = 0;
    let { thread } = this;
    let missed = false;
    for (const event of this.#waiting.splice(0)) {
      thread = apply(thread, event);
      missed ||= event.type === 'attached' && !event.resumed;
      if (event.type === 'turn_done') this.announced = t('The answer is complete');
      else if (event.type === 'turn_error') this.announced = event.message;
    }
    this.thread = thread;
    if (missed) void this.readNewest();
  }
  private turned(state: LineState): void {
    this.line = state;
    // A stream also ends because the conversation does.
    if (state !== 'open') void this.stillThere();
  }
  private async stillThere(): Promise<void> {
    await this.#about.reload();
    if (!(this.#about.error instanceof ApiError) || this.#about.error.status !== 404) return;
    this.gone = true;
    this.shut();
  }

  private async readNewest(): Promise<void> {
    const turn = ++this.#reading;
    try {
      const { messages } = await this.page();
      if (turn !== this.#reading) return;
      this.thread = read(this.thread, messages, true);
      this.loaded = true;
    } catch (e) {
      if (turn !== this.#reading) return;
      this.problem = messageOf(e);
      this.loaded = true;
    }
  }
  private async readEarlier(): Promise<void> {
    const { box } = this;
    const before = this.thread.messages[0]?.seq;
    if (before === undefined || box === null) return;
    const fromEnd = box.scrollHeight - box.scrollTop;
    try {
      const { messages } = await this.page(before);
      this.thread = read(this.thread, messages, false);
      await this.updateComplete;
      box.scrollTop = box.scrollHeight - fromEnd;
    } catch (e) {
      this.problem = messageOf(e);
    }
  }
  private page(before?: number): Promise<{ messages: Message[] }> {
    const query = before === undefined ? '' : `&before=${before}`;
    return api.get(pathOf(this.conversationId, `/messages?limit=${PAGE}${query}`));
  }

  protected override updated(): void {
    const { box } = this;
    if (this.follows && box !== null) box.scrollTop = box.scrollHeight;
    const title = this.#about.value?.title;
    if (title !== undefined) document.title = `${title} · Coffer`;
  }

  override render(): unknown {
    if (this.gone || (this.#about.error instanceof ApiError && this.#about.error.status === 404))
      return html`<cf-empty
        icon="search"
        heading=${t('This conversation is gone')}
        text=${t('It was deleted, here or on another screen.')}
        ><a class="btn" href=${HOME}>${t('New conversation')}</a></cf-empty
      >`;
    const { thread } = this;
    const about = this.#about.value;
    const running = thread.growing !== null;
    return html`<chat-head
        .about=${about}
        tokens=${this.tokens()}
        @chat-problem=${(e: CustomEvent<{ message: string }>) => (this.problem = e.detail.message)}
        ><slot name="show"></slot
      ></chat-head>
      <div class="thread" tabindex="0" role="group" aria-label=${t('Messages')} @scroll=${this.scrolled}>
        ${
          (thread.messages[0]?.seq ?? 0) > 0
            ? html`<p>
                <button class="btn sm" type="button" @click=${() => void this.readEarlier()}>
                  ${t('Earlier messages')}
                </button>
              </p>`
            : nothing
        }
        ${this.loaded ? nothing : html`<cf-skeleton></cf-skeleton>`}
        ${repeat(
          thread.messages,
          (m) => m.id,
          (m) =>
            html`<chat-message
              .message=${m}
              agent=${about?.agent_name ?? about?.agent_key ?? ''}
              ?growing=${m.id === thread.growing}
              ?unsure=${m.id === thread.growing && this.line !== 'open'}
            ></chat-message>`,
        )}
        ${
          this.follows
            ? nothing
            : html`<button class="btn sm tolatest" type="button" @click=${() => (this.follows = true)}>
                ${t('Latest')}
              </button>`
        }
      </div>
      <span class="vh" role="status">${this.announced}</span>
      ${this.say()}
      <chat-composer
        name=${this.conversationId}
        agent=${about?.agent_name ?? about?.agent_key ?? ''}
        .model=${about?.agent_config.model ?? ''}
        .models=${this.#agents.value?.find((a) => a.agent_key === about?.agent_key)?.models ?? []}
        .queue=${thread.queue}
        ?running=${running}
        @chat-send=${(e: CustomEvent<{ text: string }>) => void this.send(e.detail.text)}
        @chat-stop=${() => void this.attempt(() => api.post(pathOf(this.conversationId, '/interrupt')))}
        @chat-queue=${(e: CustomEvent<{ pending: string[] }>) => void this.requeue(e.detail.pending)}
        @chat-model=${(e: CustomEvent<{ model: string }>) => void this.setModel(e.detail.model)}
      ></chat-composer>`;
  }

  /** Of the messages shown here. */
  private tokens(): number {
    return this.thread.messages.reduce((n, m) => n + (m.prompt_tokens ?? 0) + (m.completion_tokens ?? 0), 0);
  }

  private say(): unknown {
    const { notice } = this.thread;
    if (this.line === 'given up')
      return html`<div class="note warn say" role="status">
        <cf-icon name="warn"></cf-icon
        ><span class="grow">${t('The line to Coffer is cut. What you see may be old.')}</span
        ><button class="btn sm" type="button" @click=${() => this.#line?.again()}>${t('Try again')}</button>
      </div>`;
    if (this.line === 'lost')
      return html`<div class="note say" role="status">${t('The line is cut; it is being mended.')}</div>`;
    const problem = this.problem || notice;
    return problem === ''
      ? nothing
      : html`<div class="note bad say" role="alert">
          <span class="grow">${problem}</span
          ><button class="btn sm ghost" type="button" @click=${this.dismiss}>${t('Close')}</button>
        </div>`;
  }
  private dismiss = (): void => {
    this.problem = '';
    this.thread = { ...this.thread, notice: '' };
  };

  private scrolled = (): void => {
    const { box } = this;
    if (box !== null) this.follows = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
  };
  private async send(text: string): Promise<void> {
    // At once: the next message can be written while this one is on its way. It comes back when it was refused.
    this.composer?.write('');
    this.follows = true;
    const sent = await this.attempt(() => api.post(pathOf(this.conversationId, '/messages'), { text }));
    if (!sent) this.composer?.write(text);
  }
  private async requeue(pending: string[]): Promise<void> {
    const { revision } = this.thread.queue;
    await this.attempt(() => api.put(pathOf(this.conversationId, '/pending'), { pending, revision }));
  }
  private async setModel(model: string): Promise<void> {
    await this.attempt(() => api.patch(pathOf(this.conversationId, '/agent-config'), { model }));
  }
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    this.problem = '';
    try {
      await work();
      return true;
    } catch (e) {
      this.problem = messageOf(e);
      return false;
    }
  }
}
