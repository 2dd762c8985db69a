import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, Use, t } from '@coffer/ui';
import { runsOn } from './data.js';

/** What it runs on. It is switched where connections are, with a test and a look at the change. */
@customElement('agent-model')
export class AgentModel extends CofferElement {
  @property() name = '';
  #runs = new Use(this, runsOn);

  override render(): unknown {
    const own = this.#runs.value?.find((r) => r.agent === this.name);
    const connection = own?.connection ?? null;
    return html`<section class="panel" aria-label=${t('Model')}>
      <div class="ph">
        <h2>${t('Model')}</h2>
        <span class="end"><a class="btn sm" href="/llm">${t('Change…')}</a></span>
      </div>
      <div class="pb">
        <dl class="facts">
          <dt>${t('Runs on')}</dt>
          <dd>
            ${
              connection === null
                ? t('its own login')
                : html`<a href="/llm/${encodeURIComponent(connection)}">${connection}</a>`
            }
          </dd>
          <dt>${t('Model')}</dt>
          <dd>${own?.model ?? t('as it likes')}</dd>
          <dt>${t('Small jobs')}</dt>
          <dd>${own?.fast_model ?? t('as it likes')}</dd>
        </dl>
      </div>
    </section>`;
  }
}
