import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';
import { ago, clock, exact } from './core/format.js';

/** A moment: how long ago, or its time of day with `format="clock"`. The exact time is its title. */
@customElement('cf-time')
export class CfTime extends CofferElement {
  @property() at = '';
  @property() format: 'ago' | 'clock' = 'ago';
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    // The words age on screen; nothing is asked for.
    this.#timer = setInterval(() => this.requestUpdate(), 15_000);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }
  override render(): unknown {
    if (this.at === '') return '';
    return html`<time class="nw tnum" datetime=${this.at} title=${exact(this.at)}
      >${this.format === 'clock' ? clock(this.at) : ago(this.at)}</time
    >`;
  }
}
