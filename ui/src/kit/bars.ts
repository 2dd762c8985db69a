import { html, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';

/** A mark over the bars: `at` is its place, 0 the left edge of the first bar, 1 that of the second. */
export interface BarMark {
  at: number;
  text: string;
}

/** Two stacked series as bars, small enough to need no library: answered below, failed above. */
@customElement('cf-bars')
export class CfBars extends CofferElement {
  @property({ attribute: false }) bars: readonly { label: string; ok: number; failed: number }[] = [];
  @property({ attribute: false }) marks: readonly BarMark[] = [];
  /** What the picture says, for whoever does not see it. */
  @property() label = '';

  override render(): unknown {
    const [w, h, base] = [720, 110, 92];
    const top = Math.max(4, ...this.bars.map((b) => b.ok + b.failed));
    const step = w / Math.max(1, this.bars.length);
    const y = (n: number): number => (n / top) * (base - 6);
    return html`<svg class="chart" viewBox="0 0 ${w} ${h}" role="img" aria-label=${this.label}>
      ${[0, 0.5, 1].map((part) => svg`<line class="gl" x1="0" x2=${w} y1=${base - part * (base - 6)} y2=${base - part * (base - 6)}></line>`)}
      ${this.bars.map((b, i) => {
        const x = i * step + 1;
        const bw = Math.max(1, step - 2);
        const every = Math.ceil(this.bars.length / 6);
        return svg`<rect class="s1" x=${x} y=${base - y(b.ok)} width=${bw} height=${y(b.ok)} rx="1"></rect>
          <rect class="s2" x=${x} y=${base - y(b.ok) - y(b.failed)} width=${bw} height=${y(b.failed)} rx="1"></rect>
          ${i % every === 0 ? svg`<text x=${x} y=${h - 4}>${b.label}</text>` : ''}`;
      })}
      ${this.marks.map(({ at, text }) => {
        const x = at * step;
        return svg`<g><title>${text}</title><line class="an" x1=${x} x2=${x} y1="0" y2=${base}></line>
          <path class="anm" d=${`M${x - 3.5} 0h7l-3.5 5z`}></path></g>`;
      })}
    </svg>`;
  }
}
