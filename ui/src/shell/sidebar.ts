import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, Use, currentLanguage, live, plural, stores, t } from '../kit/index.js';
import { setLanguage } from '../kit/core/i18n.js';
import { places, type Place } from './places.js';
import { isDark, setTheme } from './theme.js';

/** Navigation, live state, language and theme. */
@customElement('coffer-sidebar')
export class CofferSidebar extends CofferElement {
  @property() path = '/';
  @property({ type: Boolean }) open = false;
  /** Held for as long as the sidebar is shown: counts follow the stream. */
  #kept = [stores.plugins, stores.kinds, stores.resources, stores.credentials].map((s) => new Use<unknown>(this, s));
  #sessions = new Use(this, stores.sessions);
  #end: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#end = live.onState(() => this.requestUpdate());
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end?.();
  }

  override render(): unknown {
    void this.#kept;
    const all = places();
    const group = (id: Place['group']): unknown => all.filter((p) => p.group === id).map((p) => this.entry(p));
    const clients = this.#sessions.value?.length ?? 0;
    return html`<nav class="nav ${this.open ? 'open' : ''}" aria-label=${t('Main')}>
      <a class="brand" href="/"
        ><svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M3 11.2C3 6.7 5.9 4 9.4 4h5.2C18.1 4 21 6.7 21 11.2z" fill="var(--accent)" />
          <path d="M3 12.6h18v6.1c0 .7-.6 1.3-1.3 1.3H4.3c-.7 0-1.3-.6-1.3-1.3z" fill="var(--accent)" opacity=".82" />
          <path d="M9.7 10.2h4.6v4.6L12 16.9l-2.3-2.1z" fill="var(--brass)" stroke="var(--canvas)" stroke-width="1.4" />
          <circle cx="12" cy="13" r="1" fill="var(--canvas)" /></svg
        >Coffer</a
      >
      <button class="jump" type="button" @click=${() => this.emit('coffer-palette', {})}>
        <cf-icon name="search"></cf-icon>${t('Search or jump')}<kbd
          >${navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'} K</kbd
        >
      </button>
      <div class="mt-2">${group('top')}</div>
      ${this.block(t('Connect'), all, 'connect')} ${this.block(t('Provide'), all, 'provide')}
      ${this.block(t('Oversee'), all, 'oversee')}
      <div class="foot">
        ${group('foot')}
        <div class="row">
          <span class="live"
            ><cf-status state=${live.state === 'open' ? 'live' : 'away'}
              >${live.state === 'open' ? t('Live') : t('Not live')} ·
              ${plural(clients, '{n} client', '{n} clients')}</cf-status
            ></span
          >
          <span class="tools end">
            <button
              class="btn ghost icon sm"
              type="button"
              data-act="language"
              lang=${currentLanguage() === 'en' ? 'zh' : 'en'}
              aria-label=${currentLanguage() === 'en' ? '中文' : nothing}
              title=${currentLanguage() === 'en' ? '中文' : 'English'}
              @click=${() => void setLanguage(currentLanguage() === 'en' ? 'zh' : 'en')}
            >
              ${currentLanguage() === 'en' ? '中' : 'En'}
            </button>
            <button
              class="btn ghost icon sm"
              type="button"
              data-act="theme"
              aria-label=${t('Switch light and dark')}
              title=${t('Switch light and dark')}
              @click=${() => setTheme(isDark() ? 'light' : 'dark')}
            >
              <cf-icon name="sun"></cf-icon>
            </button>
          </span>
        </div>
      </div>
    </nav>`;
  }

  private block(title: string, all: readonly Place[], id: Place['group']): unknown {
    const mine = all.filter((p) => p.group === id);
    return mine.length === 0
      ? nothing
      : html`<h2 class="navh">${title}</h2>
          ${mine.map((p) => this.entry(p))}`;
  }

  private entry(p: Place): unknown {
    const here = p.route === '/' ? this.path === '/' : this.path === p.route || this.path.startsWith(`${p.route}/`);
    return html`<a class="n" href=${p.route} data-place=${p.id} aria-current=${here ? 'page' : nothing}
      ><cf-icon path=${p.icon}></cf-icon>${p.label}${
        p.attention === undefined
          ? p.count === undefined
            ? nothing
            : html`<span class="c">${p.count}</span>`
          : html`<span class="c hot" title=${plural(p.attention, '{n} needs attention', '{n} need attention')}
              ><cf-icon name="warn"></cf-icon>${p.attention}</span
            >`
      }</a
    >`;
  }
}
