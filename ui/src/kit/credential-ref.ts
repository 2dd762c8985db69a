import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api, messageOf } from './core/api.js';
import { Use } from './core/data.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';
import { credentials } from './core/stores.js';

/**
 * Names a credential; its value is never here. A new one can be made in place.
 * @fires cf-change - `{ref}`
 */
@customElement('cf-credential-ref')
export class CfCredentialRef extends CofferElement {
  @property() value = '';
  @property() label = '';
  @state() private making = false;
  @state() private error = '';
  #known = new Use(this, credentials);

  override render(): unknown {
    const known = this.#known.value?.some((c) => c.ref === this.value) ?? true;
    return html`<div class="f">
      <div class="ref">
        <cf-icon name="key"></cf-icon>
        <select
          class="sel"
          aria-label=${this.label || t('Credential')}
          @change=${(e: Event) => {
            const { value } = e.target as HTMLSelectElement;
            if (value === '+') this.making = true;
            else this.choose(value);
          }}
        >
          <option value="" ?selected=${this.value === ''}>${t('choose a credential')}</option>
          ${this.value !== '' && !known ? html`<option value=${this.value} selected>${this.value}</option>` : nothing}
          ${this.#known.value?.map((c) => html`<option value=${c.ref} ?selected=${c.ref === this.value}>${c.ref}</option>`)}
          <option value="+">${t('New credential…')}</option>
        </select>
      </div>
      ${
        this.value !== '' && !known
          ? html`<div class="errmsg">
              <span>${t('There is no credential {name} yet.', { name: this.value })}</span>
            </div>`
          : nothing
      }
      ${this.making ? this.maker() : nothing}
    </div>`;
  }

  private maker(): unknown {
    return html`<div class="group col">
      <input class="in mono" name="ref" placeholder="service/token" aria-label=${t('Name of the new credential')} />
      <input
        class="in"
        name="value"
        type="password"
        autocomplete="off"
        aria-label=${t('Its secret value')}
        placeholder=${t('Its secret value')}
      />
      ${this.error === '' ? nothing : html`<div class="errmsg" role="alert"><span>${this.error}</span></div>`}
      <div class="row">
        <button class="btn sm pri" type="button" @click=${this.make}>${t('Keep it')}</button>
        <button class="btn sm ghost" type="button" @click=${() => (this.making = false)}>${t('Cancel')}</button>
      </div>
    </div>`;
  }

  private async make(): Promise<void> {
    const text = (name: string): string =>
      this.renderRoot.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? '';
    const ref = text('ref');
    try {
      await api.post('/credentials', { ref, value: text('value') });
      this.making = false;
      this.error = '';
      await credentials.load();
      this.choose(ref);
    } catch (e) {
      this.error = messageOf(e);
    }
  }

  private choose(ref: string): void {
    this.value = ref;
    this.emit('cf-change', { ref });
  }
}
