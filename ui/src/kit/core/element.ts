import { LitElement, unsafeCSS, type CSSResultGroup } from 'lit';
import sheet from '../styles/sheet.css?inline';
import { onLanguage } from './i18n.js';

/** The look of the kit, as one sheet that every shadow root shares. */
export const kitStyles = unsafeCSS(sheet);

/** The ground of every element of Coffer: the shared look, and words that follow the language. */
export class CofferElement extends LitElement {
  static override styles: CSSResultGroup = kitStyles;
  #leave: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = onLanguage(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  /** Sends a change upwards; false when somebody refused it. */
  protected emit(type: string, detail: unknown): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}
