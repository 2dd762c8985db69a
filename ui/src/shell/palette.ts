import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, kitStyles, navigate, stateOf, stores, t, worded } from '../kit/index.js';
import { ICONS } from '../kit/icons.js';
import { fold } from '../kit/table-model.js';
import { setLanguage, currentLanguage } from '../kit/core/i18n.js';
import { keysOf } from './keys.js';
import { PaletteSearch } from './palette-search.js';
import { hrefOf, places } from './places.js';
import { isDark, setTheme } from './theme.js';
import { throwSwitch } from './throw-switch.js';

interface Entry {
  group: string;
  label: string;
  hint?: string;
  /** Two letters that do the same anywhere. */
  keys?: string;
  icon: string;
  run: () => unknown;
}

const keyOf = (e: Entry): string => `${e.group}\n${e.label}\n${e.hint ?? ''}`;

/** Most that is drawn; whoever wants more types more. */
const LIMIT = 40;

/** Search or jump: places, resources, switches, actions, and the search for tools. */
@customElement('coffer-palette')
export class CofferPalette extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      dialog {
        border: 0;
        padding: 0;
        background: none;
        color: inherit;
        width: 100%;
        max-width: min(640px, calc(100vw - 24px));
        margin: 9vh auto auto;
      }
      dialog::backdrop {
        background: var(--scrim);
      }
    `,
  ];
  @property({ type: Boolean }) open = false;
  @state() private text = '';
  /** Which entry was moved to. By what it says, since what plugins find comes later and shifts the rest. */
  @state() private chosen = '';
  #resources = new Use(this, stores.resources);
  #plugins = new Use(this, stores.plugins);
  #search = new PaletteSearch(this);

  private entries(): Entry[] {
    const go = (to: string) => (): void => navigate(to);
    const resources = this.#resources.value ?? [];
    const words = fold(this.text).split(/\s+/).filter(Boolean);
    const all: Entry[] = [
      ...places().map((p) => ({
        group: t('Go to'),
        label: p.label,
        icon: p.icon,
        keys: keysOf(p.route),
        run: go(p.route),
      })),
      ...resources.map((r) => ({
        group: t('Resources'),
        label: r.name,
        hint: `${r.kind} · ${stateOf(r).word}`,
        icon: '',
        run: go(hrefOf(r)),
      })),
      ...(this.#plugins.value ?? []).flatMap((p) =>
        (p.ui?.palette ?? []).map((a) => ({
          group: t('Do'),
          label: worded(a.label),
          icon: '',
          keys: keysOf(a.route),
          run: go(a.route),
        })),
      ),
      { group: t('Do'), label: t('New credential'), icon: '', run: go('/credentials?new=1') },
      { group: t('Do'), label: t('Switch light and dark'), icon: '', run: () => setTheme(isDark() ? 'light' : 'dark') },
      {
        group: t('Do'),
        label: currentLanguage() === 'en' ? '切换到中文' : 'Switch to English',
        icon: '',
        run: () => setLanguage(currentLanguage() === 'en' ? 'zh' : 'en'),
      },
      ...resources.map((r) => ({
        group: t('Do'),
        label: r.enabled ? t('Switch {name} off', { name: r.name }) : t('Switch {name} on', { name: r.name }),
        icon: '',
        run: () => throwSwitch(r, !r.enabled),
      })),
    ];
    const fit = all.filter((e) => words.every((w) => fold(`${e.label} ${e.hint ?? ''}`).includes(w)));
    const found = this.#search.found.flatMap((f) =>
      f.entries.map((e) => ({ group: f.group, icon: ICONS.play, ...e, run: go(e.route) })),
    );
    fit.splice(LIMIT - found.length - 1, Infinity, ...found);
    const typed = this.text.trim();
    const search = places().find((p) => p.id === 'tool-search');
    if (typed !== '' && search !== undefined) {
      fit.push({
        group: t('Inside'),
        label: t('Search tools for “{text}”', { text: typed }),
        icon: search.icon,
        run: go(`${search.route}?q=${encodeURIComponent(typed)}`),
      });
    }
    return fit;
  }

  override render(): unknown {
    const entries = this.open ? this.entries() : [];
    const chosen = entries.findIndex((e) => keyOf(e) === this.chosen);
    const at = Math.min(Math.max(0, chosen), entries.length - 1);
    let group = '';
    return html`<dialog
      aria-label=${t('Search or jump')}
      @cancel=${(e: Event) => {
        e.preventDefault();
        this.close();
      }}
      @click=${(e: Event) => {
        if ((e.target as HTMLElement).tagName === 'DIALOG') this.close();
      }}
    >
      <div class="pal">
        <input
          role="combobox"
          aria-label=${t('Search or jump')}
          aria-expanded="true"
          aria-controls="results"
          aria-activedescendant=${at >= 0 ? `o${at}` : nothing}
          autocomplete="off"
          spellcheck="false"
          placeholder=${t('Search or jump')}
          .value=${this.text}
          @input=${(e: InputEvent) => {
            this.text = (e.target as HTMLInputElement).value;
            this.chosen = '';
            this.#search.ask(this.text);
          }}
          @keydown=${(e: KeyboardEvent) => this.key(e, entries, at)}
        />
        <ul id="results" role="listbox" aria-label=${t('Results')}>
          ${entries.map((entry, i) => {
            const head = entry.group === group ? nothing : html`<li class="g" role="presentation">${entry.group}</li>`;
            group = entry.group;
            return html`${head}
              <li class="o" role="option" id=${`o${i}`} aria-selected=${i === at} @click=${() => this.take(entry)}>
                ${entry.icon === '' ? html`<cf-icon name="chevron"></cf-icon>` : html`<cf-icon path=${entry.icon}></cf-icon>`}
                <span class="cut">${entry.label}</span>
                ${entry.hint === undefined ? nothing : html`<span class="dim sm end">${entry.hint}</span>`}
                ${
                  entry.keys === undefined || entry.keys === ''
                    ? nothing
                    : html`<span class="end hide-s"
                        >${entry.keys.split(' ').map((k) => html`<kbd>${k.toUpperCase()}</kbd>`)}</span
                      >`
                }
              </li>`;
          })}
          ${this.#search.found.map((f) =>
            f.error === ''
              ? nothing
              : html`<li class="g" role="presentation">
                  ${t('{what} could not be searched: {why}', { what: f.group, why: f.error })}
                </li>`,
          )}
          ${entries.length === 0 ? html`<li class="g" role="presentation">${t('Nothing fits')}</li>` : nothing}
        </ul>
        <div class="pfoot">
          <span><kbd>↑</kbd> <kbd>↓</kbd> ${t('move')}</span><span><kbd>↵</kbd> ${t('open')}</span
          ><span class="end"><kbd>Esc</kbd> ${t('close')}</span>
        </div>
      </div>
    </dialog>`;
  }

  protected override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (this.open && dialog?.open === false) {
      this.text = '';
      this.chosen = '';
      this.#search.ask('');
      dialog.showModal();
      this.renderRoot.querySelector('input')?.focus();
    }
    if (!this.open && dialog?.open === true) dialog.close();
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  private key(e: KeyboardEvent, entries: readonly Entry[], at: number): void {
    // An input method's own Enter chooses a word, nothing else.
    if (e.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step !== undefined) {
      e.preventDefault();
      const next = entries[Math.max(0, Math.min(at + step, entries.length - 1))];
      if (next !== undefined) this.chosen = keyOf(next);
    } else if (e.key === 'Enter') {
      e.preventDefault();
      const entry = entries[at];
      if (entry !== undefined) this.take(entry);
    }
  }

  private take(entry: Entry): void {
    this.close();
    void entry.run();
  }

  private close(): void {
    this.emit('cf-close', {});
  }
}
