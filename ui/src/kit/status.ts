import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';

export type State = 'ok' | 'live' | 'start' | 'run' | 'held' | 'warn' | 'bad' | 'off' | 'away' | 'unk';

/** State as shape, word and colour; the word is the content. */
@customElement('cf-status')
export class CfStatus extends CofferElement {
  @property() state: State = 'unk';

  override render(): unknown {
    return html`<span class="st ${this.state}"><i></i><slot></slot></span>`;
  }
}
