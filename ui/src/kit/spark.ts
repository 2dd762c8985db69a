import { html, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';

const [WIDTH, HEIGHT] = [84, 22];

/** A row of small bars that fits a table: the course of something, with the number beside it. */
@customElement('cf-spark')
export class CfSpark extends CofferElement {
  @property({ attribute: false }) values: readonly number[] = [];
  /** What the picture says, for whoever does not see it. */
  @property() label = '';

  override render(): unknown {
    const top = Math.max(1, ...this.values);
    const step = WIDTH / Math.max(1, this.values.length);
    return html`<svg class="spark chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${this.label}>
      <line class="gl" x1="0" x2=${WIDTH} y1=${HEIGHT - 0.5} y2=${HEIGHT - 0.5}></line>
      ${this.values.map((n, i) => {
        // One call of a thousand is still seen.
        const h = n === 0 ? 0 : Math.max(1.5, (n / top) * (HEIGHT - 2));
        return svg`<rect class="s1" x=${i * step + 0.4} y=${HEIGHT - 1 - h} width=${Math.max(1, step - 0.8)} height=${h}></rect>`;
      })}
    </svg>`;
  }
}
