import { css, html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  format,
  kitStyles,
  live,
  messageOf,
  navigate,
  onNavigate,
  stores,
  t,
} from '../kit/index.js';
import { onSignedOut } from '../kit/core/api.js';
import { listenToKeys } from './keys.js';
import { fetchPluginWords } from './plugin-words.js';
import { resolveRoute } from './routes.js';
import {
  SIGNED_OUT,
  codeInAddress,
  forgetSecrets,
  onSignedIn,
  rememberPlace,
  returnToPlace,
  signIn,
  stands,
} from './session.js';

/** The frame around every page: navigation, banners, login, palette. */
@customElement('coffer-app')
export class CofferApp extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .navh {
        font: 500 var(--t-11);
      }
      .shade {
        position: fixed;
        inset: 0;
        background: var(--scrim);
        z-index: 45;
        border: 0;
      }
      [hidden] {
        display: none !important;
      }
    `,
  ];
  @state() private phase: 'asking' | 'in' | 'out' = 'asking';
  @state() private wasIn = false;
  @state() private failure = '';
  @state() private drawer = false;
  @state() private palette = false;
  @state() private offline = false;
  #plugins = new Use<unknown>(this, undefined);
  #page: HTMLElement | undefined;
  #shownFor = '';
  #ends: (() => void)[] = [];
  #offlineTimer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    onSignedOut(() => this.signedOut());
    onSignedIn(() => this.signedIn());
    this.#ends = [
      onNavigate(() => this.moved()),
      live.onState(() => this.liveChanged()),
      listenToKeys(() => {
        if (this.phase === 'in') this.palette = !this.palette;
      }),
    ];
    addEventListener('click', this.#link);
    addEventListener('hashchange', this.#hash);
    void this.enter();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.#ends) end();
    removeEventListener('click', this.#link);
    removeEventListener('hashchange', this.#hash);
  }

  /** In a tab that shows Home already, the address that `coffer open` prints is no new page. */
  #hash = (): void => {
    if (location.hash.startsWith('#login=')) void this.enter();
  };

  private async enter(): Promise<void> {
    const code = codeInAddress();
    if (code !== undefined) {
      try {
        await signIn(code);
        return;
      } catch (e) {
        this.failure = messageOf(e);
      }
    }
    if (await stands()) this.signedIn();
    else {
      rememberPlace();
      this.phase = 'out';
    }
  }

  private signedIn(): void {
    this.phase = 'in';
    this.failure = '';
    returnToPlace();
    live.start(async () => {
      const good = await stands();
      if (!good) this.signedOut();
      return good;
    });
    if (this.wasIn)
      for (const s of [stores.plugins, stores.kinds, stores.resources, stores.sessions, stores.credentials])
        void s.load();
    else this.#plugins.point(stores.plugins);
    this.wasIn = true;
  }

  private signedOut(): void {
    if (this.phase === 'out') return;
    live.stop();
    rememberPlace();
    forgetSecrets(this.renderRoot);
    dispatchEvent(new Event(SIGNED_OUT));
    this.phase = 'out';
  }

  /** A blink of the line is not worth a banner. */
  private liveChanged(): void {
    clearTimeout(this.#offlineTimer);
    if (live.state === 'lost') this.#offlineTimer = setTimeout(() => (this.offline = true), 700);
    else this.offline = false;
    this.requestUpdate();
  }

  private moved(): void {
    this.drawer = false;
    this.requestUpdate();
    void this.updateComplete.then(() => {
      if (this.#shownFor === location.pathname) return;
      this.#shownFor = location.pathname;
      scrollTo(0, 0);
      this.renderRoot.querySelector<HTMLElement>('main')?.focus();
    });
  }

  /** Links inside the page change the address without a reload. */
  #link = (e: MouseEvent): void => {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    const a = e.composedPath().find((n): n is HTMLAnchorElement => n instanceof HTMLAnchorElement);
    if (a === undefined || a.target !== '' || a.origin !== location.origin || a.hasAttribute('download')) return;
    if (a.getAttribute('href')?.startsWith('#') === true) return;
    e.preventDefault();
    navigate(a.pathname + a.search);
  };

  /** Drawn anew when the language or the plugins change. */
  protected override updated(): void {
    fetchPluginWords();
  }

  override render(): unknown {
    const out = this.phase === 'out';
    return html`${out ? html`<coffer-login ?again=${this.wasIn} failure=${this.failure}></coffer-login>` : nothing}
      ${this.wasIn ? html`<div ?hidden=${out}>${this.frame()}</div>` : nothing} <coffer-desk></coffer-desk>`;
  }

  private frame(): unknown {
    return html`<nav aria-label=${t('Skip')}>
        <a
          class="skip"
          href="#main"
          @click=${(e: Event) => {
            e.preventDefault();
            this.renderRoot.querySelector<HTMLElement>('main')?.focus();
          }}
          >${t('Skip to content')}</a
        >
      </nav>
      <div class="app" @coffer-palette=${() => (this.palette = true)}>
        <coffer-sidebar path=${location.pathname} ?open=${this.drawer}></coffer-sidebar>
        ${
          this.drawer
            ? html`<button
                class="shade"
                type="button"
                aria-label=${t('Close the menu')}
                @click=${() => (this.drawer = false)}
              ></button>`
            : nothing
        }
        <div class="main">
          <header class="topbar">
            <button class="btn ghost icon" type="button" aria-label=${t('Menu')} @click=${() => (this.drawer = true)}>
              <cf-icon name="menu"></cf-icon>
            </button>
            <b class="cut">Coffer</b>
            <button
              class="btn ghost icon end"
              type="button"
              aria-label=${t('Search or jump')}
              @click=${() => (this.palette = true)}
            >
              <cf-icon name="search"></cf-icon>
            </button>
          </header>
          ${
            this.offline
              ? html`<div class="banner" role="status" data-banner="offline">
                  <cf-icon name="warn"></cf-icon>
                  <span
                    >${t('Coffer does not answer. What you see was true {time}; this clears by itself.', { time: format.ago(live.since) })}</span
                  >
                </div>`
              : nothing
          }
          <main id="main" tabindex="-1">${this.page()}</main>
        </div>
      </div>
      <coffer-palette ?open=${this.palette} @cf-close=${() => (this.palette = false)}></coffer-palette>`;
  }

  private page(): unknown {
    const shown = resolveRoute(location.pathname);
    switch (shown.is) {
      case 'moved':
        queueMicrotask(() => navigate(shown.to, { replace: true }));
        return nothing;
      case 'waiting':
        return html`<div class="page"><cf-skeleton></cf-skeleton></div>`;
      case 'plugin':
        return shown.content;
      case 'own': {
        if (this.#page?.localName !== shown.element) this.#page = document.createElement(shown.element);
        Object.assign(this.#page, { params: shown.params });
        shown.ready.catch(() => anew());
        return this.#page;
      }
      default:
        return html`<cf-page heading=${t('There is nothing at this address')}
          ><cf-empty
            icon="search"
            heading=${location.pathname}
            text=${t('The page may belong to a plugin that does not run now.')}
            ><a class="btn" href="/">${t('Home')}</a></cf-empty
          ></cf-page
        >`;
    }
  }
}

/**
 * A page that cannot be fetched belongs to a Coffer of another version, or to one that does not answer now: the new one is there after a
 * reload, which waits until somebody answers.
 */
function anew(): void {
  if (live.state !== 'open') {
    const stop = live.onState(() => {
      if (live.state !== 'open') return;
      stop();
      location.reload();
    });
    return;
  }
  if (sessionStorage.getItem('coffer.reloaded') === location.pathname) return;
  sessionStorage.setItem('coffer.reloaded', location.pathname);
  location.reload();
}
