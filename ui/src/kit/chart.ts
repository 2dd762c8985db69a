import { css, html, unsafeCSS } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type uPlot from 'uplot';
import plotSheet from 'uplot/dist/uPlot.min.css?inline';
import { CofferElement, kitStyles } from './core/element.js';
import { clock, exact } from './core/format.js';
import { currentLanguage, t } from './core/i18n.js';

export interface Series {
  label: string;
  /** One of the four series colours. */
  colour: 1 | 2 | 3 | 4;
  values: readonly (number | null)[];
}

/** Something that happened at a moment, drawn on a chart so that a cause stands next to its effect. */
export interface Annotation {
  /** Unix seconds; what lies outside the chart's times is left out. */
  at: number;
  text: string;
}

/**
 * Series over time. The library is fetched when the first chart is shown.
 * @fires cf-range - `{from, to}` in seconds, after brushing
 */
@customElement('cf-chart')
export class CfChart extends CofferElement {
  static override styles = [
    kitStyles,
    unsafeCSS(plotSheet),
    css`
      :host {
        display: block;
        min-height: 160px;
      }
      .u-legend {
        display: none;
      }
      .mark {
        position: absolute;
        top: 0;
        bottom: 0;
        width: 7px;
        margin-left: -3.5px;
        background: linear-gradient(var(--brass) 40%, transparent 0) center / 1px 5px repeat-y;
      }
      .mark::before {
        content: '';
        position: absolute;
        inset: 0 0 auto;
        height: 5px;
        background: var(--brass);
        clip-path: polygon(0 0, 100% 0, 50% 100%);
      }
    `,
  ];
  /** Unix seconds, ascending. */
  @property({ attribute: false }) times: readonly number[] = [];
  @property({ attribute: false }) series: readonly Series[] = [];
  /** Moments to mark; each says its text on hover. */
  @property({ attribute: false }) annotations: readonly Annotation[] = [];
  @property() kind: 'bars' | 'lines' = 'lines';
  @property() label = '';
  #plot: uPlot | undefined;
  #watch: ResizeObserver | undefined;
  #theme: MutationObserver | undefined;

  override render(): unknown {
    return html`<div role="img" aria-label=${this.label}></div>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch = new ResizeObserver(() => this.#plot?.setSize({ width: this.clientWidth, height: 160 }));
    this.#watch.observe(this);
    this.#theme = new MutationObserver(() => void this.#draw());
    this.#theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.disconnect();
    this.#theme?.disconnect();
    this.#plot?.destroy();
    this.#plot = undefined;
  }
  protected override updated(): void {
    void this.#draw();
  }

  /** Days when the span is long, else times. */
  private tick(seconds: number): string {
    const span = (this.times.at(-1) ?? 0) - (this.times[0] ?? 0);
    const at = new Date(seconds * 1000);
    if (span > 2 * 86_400)
      return new Intl.DateTimeFormat(currentLanguage(), { month: 'numeric', day: 'numeric' }).format(at);
    return clock(at).slice(0, 5);
  }

  /** As elements over the plot, not on its canvas: these take their colours from the theme and have a tooltip. */
  #mark(u: uPlot): void {
    u.over.querySelectorAll('.mark').forEach((old) => old.remove());
    const [from = 0, to = 0] = [this.times[0], this.times.at(-1)];
    for (const { at, text } of this.annotations) {
      if (at < from || at > to) continue;
      const mark = Object.assign(document.createElement('span'), { className: 'mark', title: text });
      mark.style.left = `${u.valToPos(at, 'x')}px`;
      u.over.append(mark);
    }
  }

  async #draw(): Promise<void> {
    const { default: UPlot } = await import('uplot');
    const place = this.renderRoot.querySelector('div');
    if (!this.isConnected || place === null) return;
    const style = getComputedStyle(this);
    const token = (name: string): string => style.getPropertyValue(name).trim();
    const axis = {
      stroke: token('--ink-3'),
      grid: { stroke: token('--line'), width: 1 },
      ticks: { show: false },
      font: `11px ${token('--sans')}`,
    };
    const bars = UPlot.paths.bars?.({ size: [0.85, 40] });
    this.#plot?.destroy();
    this.#plot = new UPlot(
      {
        width: this.clientWidth,
        height: 160,
        axes: [
          { ...axis, values: (_u, at) => at.map((s) => this.tick(s)) },
          { ...axis, size: 44 },
        ],
        scales: { y: { range: (_u, _min, max) => [0, Math.max(1, max * 1.1)] } },
        cursor: { y: false },
        series: [
          // uPlot's own words for the time of a point are English.
          { label: t('Time'), value: (_u, at: number | null) => (at === null ? '–' : exact(at * 1000)) },
          ...this.series.map((s) => ({
            label: s.label,
            stroke: token(`--series-${s.colour}`),
            width: this.kind === 'bars' ? 0 : 1.75,
            // A single value between gaps has no line.
            points: { show: this.kind === 'lines', size: 4, fill: token(`--series-${s.colour}`) },
            ...(this.kind === 'bars' && bars !== undefined && { fill: token(`--series-${s.colour}`), paths: bars }),
          })),
        ],
        hooks: {
          draw: [(u) => this.#mark(u)],
          setSelect: [
            (u) => {
              if (u.select.width < 4) return;
              const from = u.posToVal(u.select.left, 'x');
              this.emit('cf-range', { from, to: u.posToVal(u.select.left + u.select.width, 'x') });
            },
          ],
        },
      },
      // uPlot takes plain mutable arrays.
      [[...this.times], ...this.series.map((s) => [...s.values])] as uPlot.AlignedData,
      place,
    );
  }
}
