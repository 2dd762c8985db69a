import { css, html } from 'lit';
import * as kit from '@coffer/ui';
import { EXAMPLES } from './examples.js';

/** Its own address, as the shell has imported it. */
const { pathname, search } = new URL(import.meta.url);
const module = pathname + search;

/** Every element of the kit, each with its examples. */
class UiKitPage extends kit.CofferElement {
  static styles = [
    kit.kitStyles,
    css`
      section {
        margin-top: 32px;
      }
      .sample {
        margin-top: 8px;
      }
    `,
  ];
  #resources = new kit.Use(this, kit.stores.resources);

  render() {
    const resource = this.#resources.value?.[0];
    return html`<cf-page
      heading="UI kit"
      text="Every element of @coffer/ui in use. What each takes and sends stands in docs/ui-kit.md."
    >
      ${EXAMPLES.map(
        ({ element, samples }) =>
          html`<section data-element=${element} aria-label=${element}>
            <h2 class="mono">${element}</h2>
            ${samples.map(
              ({ title, draw, needsResource }) =>
                html`<div class="sample">
                  <p class="sm dim">${title}</p>
                  ${
                    needsResource === true && resource === undefined
                      ? html`<p>Add any resource to see this one.</p>`
                      : draw({ kit, module, resource })
                  }
                </div>`,
            )}
          </section>`,
      )}
    </cf-page>`;
  }
}
customElements.define('ui-kit-page', UiKitPage);

/** What the example of cf-extension draws: any element that a plugin's module defines. */
class UiKitCard extends kit.CofferElement {
  static properties = { words: {} };

  render() {
    return html`<div class="note">${this.words}</div>`;
  }
}
customElements.define('ui-kit-card', UiKitCard);
