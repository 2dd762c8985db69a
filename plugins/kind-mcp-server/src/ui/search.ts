import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  api,
  knownAgents,
  messageOf,
  queryValue,
  setQuery,
  stores,
  t,
  type Json,
  type RouteParams,
} from '@coffer/ui';
import { HOME } from './data.js';

interface Answer {
  tools: Json[];
  total_searched: number;
}

/** What an agent would find. */
@customElement('mcp-tool-search')
export class McpToolSearch extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  @state() private answer: Answer | undefined;
  @state() private error = '';
  #sessions = new Use(this, stores.sessions);
  #calls = new Use(this, stores.recentCalls);
  #resources = new Use(this, stores.resources);
  #asked = '';
  #turn = 0;

  protected override willUpdate(): void {
    const asked = `${queryValue('q')}\n${queryValue('as')}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    void this.ask();
  }

  private async ask(): Promise<void> {
    const turn = ++this.#turn;
    const [text, agent] = [queryValue('q').trim(), queryValue('as')];
    this.error = '';
    if (text === '') {
      this.answer = undefined;
      return;
    }
    try {
      const answer = await api.post<Answer>('/gateway/search', {
        query: text,
        top_k: 20,
        ...(agent !== '' && { agent }),
      });
      if (turn === this.#turn) this.answer = answer;
    } catch (e) {
      if (turn === this.#turn) this.error = messageOf(e);
    }
  }

  override render(): unknown {
    const agents = knownAgents(this.#sessions.value ?? [], this.#calls.value ?? [], this.#resources.value ?? []);
    return html`<cf-page heading=${t('Tool search')} text=${t('Ask as an agent would; see what it would find.')}>
      <form
        class="bar"
        role="search"
        @submit=${(e: Event) => {
          e.preventDefault();
          const form = new FormData(e.target as HTMLFormElement);
          setQuery({ q: String(form.get('q')), as: String(form.get('as')) });
          this.requestUpdate();
        }}
      >
        <div class="find grow">
          <cf-icon name="search"></cf-icon>
          <input
            class="in"
            type="search"
            name="q"
            .value=${queryValue('q')}
            placeholder=${t('What should be done?')}
            aria-label=${t('What should be done?')}
          />
        </div>
        <label class="row sm"
          >${t('seen as')}
          <select class="sel" name="as">
            <option value="">${t('a client without a name')}</option>
            ${agents.map((a) => html`<option value=${a} ?selected=${a === queryValue('as')}>${a}</option>`)}
          </select>
        </label>
        <button class="btn pri" type="submit">${t('Search')}</button>
      </form>
      ${this.error === '' ? nothing : html`<div class="note bad" role="alert">${this.error}</div>`} ${this.found()}
    </cf-page>`;
  }

  private found(): unknown {
    const { answer } = this;
    if (answer === undefined)
      return html`<section class="panel">
        <cf-empty
          icon="search"
          heading=${t('Nothing asked yet')}
          text=${t('Words of any order; names of tools and their descriptions are searched.')}
        ></cf-empty>
      </section>`;
    const text = (v: unknown): string => (typeof v === 'string' ? v : '');
    return html`<section class="panel" aria-label=${t('Found')}>
      <div class="ph">
        <h2>${t('Found')}</h2>
        <span class="dim" role="status"
          >${t('{n} of {all} tools that it may see', { n: answer.tools.length, all: answer.total_searched })}</span
        >
      </div>
      ${answer.tools.map((tool) => {
        const name = text(tool['name']);
        const [server = '', own = ''] = name.split(/__(.*)/s);
        return html`<div class="li h">
          <div class="grow">
            <b class="mono">${name}</b>
            <div class="sm mut">${text(tool['description'])}</div>
          </div>
          ${
            own === ''
              ? nothing
              : html`<a
                  class="btn sm"
                  href="${HOME}/${encodeURIComponent(server)}?tab=tools&tool=${encodeURIComponent(own)}"
                  >${t('Try')}<span class="vh"> ${name}</span></a
                >`
          }
        </div>`;
      })}
      ${answer.tools.length === 0 ? html`<cf-empty icon="search" heading=${t('Nothing fits')} text=${t('Tools that are switched off or out of scope were not searched.')}></cf-empty>` : nothing}
    </section>`;
  }
}
