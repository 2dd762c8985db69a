import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { messageOf } from './core/api.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';
import { live } from './core/live.js';
import { loadModule } from './core/modules.js';

const SLOW_MS = 3000;
/** One box that a plugin draws in. Whatever goes wrong in it stays in it, and the box says whose it is. */
@customElement('cf-extension')
export class CfExtension extends CofferElement {
  @property() plugin = '';
  /** Address of the plugin's module. */
  @property() module = '';
  /** The custom element that draws. */
  @property() element = '';
  /** Properties given to the element. */
  @property({ attribute: false }) given: Readonly<Record<string, unknown>> = {};
  @state() private failure = '';
  @state() private slow = false;
  #made: HTMLElement | undefined;
  #attempt = 0;
  /** It failed while the daemon did not answer. */
  #lost = false;
  #unlisten: (() => void) | undefined;

  override render(): unknown {
    if (this.failure !== '') {
      return html`<div class="note bad" role="alert">
        <cf-icon name="warn"></cf-icon>
        <div class="grow">
          <b>${t('Plugin {name} could not draw this', { name: this.plugin })}</b>
          <p>${this.failure}</p>
        </div>
        <span class="end row">
          <button class="btn sm" type="button" @click=${this.again}>${t('Load again')}</button>
          <slot name="instead"></slot>
        </span>
      </div>`;
    }
    return html`${this.slow ? html`<p class="dim" role="status">${t('Still loading {name}', { name: this.plugin })}</p>` : nothing}${this.#made}`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('error', this.#caught, true);
    addEventListener('unhandledrejection', this.#rejected);
    // What could not be fetched while nobody answered is fetched when somebody does.
    this.#unlisten = live.onState(() => {
      if (live.state === 'open' && this.failure !== '' && this.#lost) this.again();
    });
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('error', this.#caught, true);
    removeEventListener('unhandledrejection', this.#rejected);
    this.#unlisten?.();
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('module') || changed.has('element')) void this.#make();
    else if (changed.has('given') && this.#made !== undefined) Object.assign(this.#made, this.given);
  }

  async #make(): Promise<void> {
    const turn = ++this.#attempt;
    this.#made = undefined;
    this.failure = '';
    this.slow = false;
    const timer = setTimeout(() => (this.slow = true), SLOW_MS);
    try {
      await loadModule(this.module);
      if (turn !== this.#attempt) return;
      if (customElements.get(this.element) === undefined)
        throw new Error(t('Its module does not define {element}.', { element: this.element }));
      const made = Object.assign(document.createElement(this.element), this.given);
      this.#made = made;
      this.requestUpdate();
      await this.updateComplete;
      // A Lit element that throws while drawing tells it here.
      await (made as { updateComplete?: Promise<unknown> }).updateComplete;
    } catch (e) {
      if (turn === this.#attempt) this.#fail(e);
    } finally {
      clearTimeout(timer);
      this.slow = false;
    }
  }

  #fail(e: unknown): void {
    this.#made = undefined;
    this.#lost = live.state !== 'open';
    this.failure = messageOf(e);
  }

  private again(): void {
    void this.#make();
  }

  /** Errors in handlers and timers bear the address of their file. */
  #caught = (e: ErrorEvent): void => {
    if (e.filename?.includes(`/plugins/${this.plugin}/ui/`)) this.#fail(e.error ?? e.message);
  };
  #rejected = (e: PromiseRejectionEvent): void => {
    const reason: unknown = e.reason;
    if (reason instanceof Error && reason.stack?.includes(`/plugins/${this.plugin}/ui/`) === true) {
      e.preventDefault();
      this.#fail(reason);
    }
  };
}
