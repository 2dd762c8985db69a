import { LitElement, css, html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { ICONS, type IconName } from './icons.js';

/** A picture beside words, hidden from readers of the screen. `path` draws foreign path data: it can carry nothing but a shape. */
@customElement('cf-icon')
export class CfIcon extends LitElement {
  static override styles = css`
    :host {
      display: inline-block;
      width: 16px;
      height: 16px;
      flex: none;
      vertical-align: -3px;
    }
    svg {
      display: block;
      width: 100%;
      height: 100%;
      fill: none;
      stroke: currentColor;
      stroke-width: 1.5;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
  `;
  @property() name: IconName = 'box';
  @property() path = '';

  override render(): unknown {
    return html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${this.path || ICONS[this.name]} /></svg>`;
  }
}
