import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ApiError, CofferElement, draft, format, messageOf, t, type CfForm, type Json } from '@coffer/ui';
import type { Trial } from './trials.js';

/**
 * Calls a tool, reads a resource or gets a prompt from a form of what it needs, and shows what came back.
 * @fires cf-close
 */
@customElement('mcp-try-it')
export class McpTryIt extends CofferElement {
  @property({ attribute: false }) trial!: Trial;
  @state() private value: unknown = {};
  @state() private answer: { result: Json; ms: number } | undefined;
  @state() private error: unknown;
  @state() private json = false;
  #running: AbortController | undefined;
  @state() private busy = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('trial') || changed.get('trial')?.id === this.trial.id) return;
    this.#running?.abort();
    this.value = draft.get(`try:${this.trial.id}`) ?? {};
    this.answer = undefined;
    this.error = undefined;
    this.busy = false;
  }

  override render(): unknown {
    const { trial } = this;
    return html`<section class="panel" aria-label=${t('Try {name}', { name: trial.name })} @keydown=${this.key}>
      <div class="ph">
        <h2>${t('Try it')}</h2>
        <span class="dim mono cut grow">${trial.name}</span>
        <button
          class="btn ghost icon sm end"
          type="button"
          aria-label=${t('Close')}
          @click=${() => this.emit('cf-close', {})}
        >
          <cf-icon name="close"></cf-icon>
        </button>
      </div>
      <div class="pb col gap-4">
        ${trial.description === null ? nothing : html`<p class="mut">${trial.description}</p>`}
        ${trial.enabled ? nothing : html`<div class="note warn"><span>${t('It is switched off, so the call will be refused as it would be for a client.')}</span></div>`}
        ${
          trial.schema !== undefined
            ? html`<cf-form
                .schema=${trial.schema}
                .value=${this.value}
                .json=${this.json}
                @cf-change=${(e: CustomEvent<{ value: unknown }>) => {
                  this.value = e.detail.value;
                  draft.set(`try:${trial.id}`, this.value);
                }}
                @cf-submit=${() => void this.call()}
              ></cf-form>`
            : nothing
        }
        <div class="row">
          <button class="btn pri" type="button" data-act="call" @click=${this.busy ? this.stop : this.submit}>
            <cf-icon name=${this.busy ? 'close' : 'play'}></cf-icon>${this.busy ? t('Stop') : trial.verb}
          </button>
          ${
            trial.schema !== undefined
              ? html`<button class="btn ghost" type="button" @click=${() => (this.json = !this.json)}>
                  ${this.json ? t('As a form') : t('As JSON')}
                </button>`
              : nothing
          }
          <span class="end hide-s"><kbd>Ctrl</kbd> <kbd>↵</kbd></span>
        </div>
        <div role="status" class="col">
          ${this.busy ? html`<cf-status state="run">${t('Running')}</cf-status>` : nothing}
          ${
            this.error === undefined
              ? nothing
              : html`<div class="note bad">
                  <cf-icon name="warn"></cf-icon>
                  <div>
                    <b>${messageOf(this.error)}</b
                    >${this.error instanceof ApiError ? html`<p class="sm dim">${this.error.code}</p>` : nothing}
                  </div>
                </div>`
          }
          ${
            this.answer === undefined
              ? nothing
              : html`<p class="sm dim">${format.duration(this.answer.ms)}</p>
                  <cf-result .result=${this.answer.result}></cf-result>`
          }
        </div>
        <p class="sm dim">
          ${t('The call is in Activity with its time and outcome. What you sent and got is not kept.')}
        </p>
      </div>
    </section>`;
  }

  private key(e: KeyboardEvent): void {
    if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey)) return;
    e.preventDefault();
    this.submit();
  }

  private submit(): void {
    const form = this.renderRoot.querySelector<CfForm>('cf-form');
    if (form === null) void this.call();
    else void form.submit();
  }

  private stop(): void {
    this.#running?.abort();
  }

  private async call(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.busy = true;
    this.error = undefined;
    this.answer = undefined;
    const from = performance.now();
    try {
      const result = await this.trial.send(this.value, running.signal);
      if (this.#running === running) this.answer = { result, ms: performance.now() - from };
    } catch (e) {
      if (this.#running === running) this.error = running.signal.aborted ? new Error(t('Stopped.')) : e;
    }
    if (this.#running === running) this.busy = false;
  }
}
