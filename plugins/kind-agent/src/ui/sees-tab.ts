import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, plural, t, type State } from '@coffer/ui';
import { seesOf, type Sees } from './data.js';

/** What a new session of this agent gets from Coffer, and what not. */
@customElement('agent-sees')
export class AgentSees extends CofferElement {
  @property() name = '';
  @state() private cwd = '';
  #sees = new Use<Sees>(this, undefined);

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('name')) this.#sees.point(seesOf(this.name, this.cwd));
  }

  override render(): unknown {
    const s = this.#sees.value;
    return html`<div class="col gap-4">
      <div class="row wrap">
        <span class="mut"
          >${t('What a new session gets from Coffer, computed by the code that serves it, in the folder')}</span
        >
        <input
          class="in mono"
          aria-label=${t('Folder')}
          placeholder=${t('no folder')}
          .value=${this.cwd}
          @change=${(e: Event) => this.look((e.target as HTMLInputElement).value.trim())}
        />
      </div>
      ${
        s === undefined
          ? this.#sees.error === undefined
            ? html`<cf-skeleton></cf-skeleton>`
            : html`<cf-error .error=${this.#sees.error} @cf-retry=${() => void this.#sees.reload()}></cf-error>`
          : html`${this.tools(s)} ${this.missing(s)} ${this.more(s)}`
      }
    </div>`;
  }

  private look(cwd: string): void {
    this.cwd = cwd;
    this.#sees.point(seesOf(this.name, cwd));
    this.requestUpdate();
  }

  private tools({ servers, tools, tokens }: Sees): unknown {
    return html`<section class="panel" aria-label=${t('Tools')}>
      <div class="ph">
        <h2>${t('Tools')}</h2>
        <span class="dim">${plural(tools, '{n} tool', '{n} tools')}</span>
        <span class="end sm mut">${t('about {n} tokens', { n: tokens })}</span>
      </div>
      ${servers.map(
        (s) =>
          html`<div class="li" data-server=${s.server}>
            <div class="grow cut">
              <b>${s.server}</b>
              <div class="sm mut cut">${s.tools.join(', ')}</div>
            </div>
            <span class="sm mut nw">${plural(s.tools.length, '{n} tool', '{n} tools')}</span>
            <span class="sm dim nw">${t('about {n} tokens', { n: s.tokens })}</span>
          </div>`,
      )}
    </section>`;
  }

  private missing({ not }: Sees): unknown {
    if (not.length === 0) return nothing;
    return html`<section class="panel" aria-label=${t('It does not get')}>
      <div class="ph"><h2>${t('It does not get')}</h2></div>
      ${not.map((n) => {
        const { state, word } = whyOf(n);
        return html`<div class="li" data-not=${n.ref}>
          <cf-status state=${state}></cf-status>
          <div class="grow"><b>${n.name}</b> <span class="mut">${word}</span></div>
        </div>`;
      })}
    </section>`;
  }

  private more({ skills, prompts, resources, session_context: text }: Sees): unknown {
    return html`<section class="panel" aria-label=${t('Skills and the rest')}>
        <div class="ph"><h2>${t('Skills and the rest')}</h2></div>
        <div class="pb col">
          <div class="row wrap">
            ${
              skills.length === 0
                ? html`<span class="dim">${t('No skill')}</span>`
                : skills.map((s) => html`<a class="chip" href="/skills/${encodeURIComponent(s)}">${s}</a>`)
            }
          </div>
          <div class="sm mut">
            ${plural(prompts.length, '{n} prompt', '{n} prompts')},
            ${plural(resources, '{n} resource', '{n} resources')}
          </div>
        </div>
      </section>
      <cf-code wrap label=${t('What it is told at the start, once its hook is on')} .value=${text}></cf-code>`;
  }
}

function whyOf({ why, reason }: Sees['not'][number]): { state: State; word: unknown } {
  switch (why) {
    case 'off':
      return { state: 'off', word: t('switched off') };
    case 'machine':
      return { state: 'away', word: t('not on this machine') };
    case 'agent':
      return { state: 'off', word: t('not for this agent') };
    default:
      return { state: 'warn', word: html`<span lang="en">${reason}</span>` };
  }
}
