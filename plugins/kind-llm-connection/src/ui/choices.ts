import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, api, messageOf, t, toast } from '@coffer/ui';
import { agents, connections, engine, initials, modelsOf, type Agent, type Engine, type Wish } from './data.js';
import type { SwitchDraft } from './switch.js';

/** Which agent runs on what. A choice is a draft: nothing is written before it was tested and looked at. */
@customElement('llm-choices')
export class LlmChoices extends CofferElement {
  /** The agent whose draft is being looked at. */
  @property() drafted = '';
  /** What was picked per agent and not switched; `''` stands for Coffer itself. */
  @state() private wishes: ReadonlyMap<string, Wish> = new Map();
  @state() private models: ReadonlyMap<string, readonly string[]> = new Map();
  #agents = new Use(this, agents);
  #connections = new Use(this, connections);
  #engine = new Use(this, engine);

  protected override willUpdate(changed: Map<string, unknown>): void {
    // The draft was switched or dropped: what is true is shown again.
    if (changed.has('drafted') && this.drafted === '' && changed.get('drafted') !== undefined) this.wishes = new Map();
  }

  override render(): unknown {
    const all = this.#agents.value;
    if (all === undefined) return nothing;
    return html`<section class="panel" aria-label=${t('Which agent runs on what')}>
      <div class="ph"><h2>${t('Which agent runs on what')}</h2></div>
      ${
        all.length === 0
          ? html`<div class="pb dim">
              ${t('No agent on this machine takes a model from Coffer yet. Register one under Agents.')}
            </div>`
          : all.map((a) => this.agent(a))
      }
      ${this.#engine.value === undefined ? nothing : this.itself(this.#engine.value)}
    </section>`;
  }

  private agent(a: Agent): unknown {
    const truth: Wish = { connection: a.connection, model: a.model, fast_model: a.fast_model };
    const wish = this.wishes.get(a.agent) ?? truth;
    const changed = !same(wish, truth);
    const set = (next: Wish): void => this.pick(a, next, truth);
    return html`<div class="srow four" data-agent=${a.agent}>
      <span class="b"
        ><span class="who"><b aria-hidden="true">${initials(a.label)}</b>${a.label}</span></span
      >
      <select
        class="sel"
        aria-label=${t('Connection of {agent}', { agent: a.label })}
        @change=${(e: Event) => set({ connection: entered(e), model: null, fast_model: null })}
      >
        <option value="" ?selected=${wish.connection === null}>${t('its own login')}</option>
        ${named(a.choices, wish.connection).map((c) => html`<option value=${c} ?selected=${c === wish.connection}>${c}</option>`)}
      </select>
      ${
        wish.connection === null
          ? html`<span class="dim">${t('as it likes')}</span>`
          : this.model(t('Model of {agent}', { agent: a.label }), wish.connection, wish.model, (model) =>
              set({ ...wish, model }),
            )
      }
      ${changed ? html`<span class="chip warn">${t('draft')}</span>` : html`<span></span>`}
    </div>`;
  }

  private itself(now: Engine): unknown {
    const wish = this.wishes.get('') ?? { ...now, fast_model: null };
    const set = (next: Wish): void => {
      this.wishes = new Map(this.wishes).set('', next);
      if (next.connection === null || next.model !== null) void this.setEngine(next);
    };
    const all = (this.#connections.value ?? []).filter((c) => c.enabled).map((c) => c.name);
    return html`<div class="srow four" data-agent="">
      <div>
        <b>${t('Coffer itself')}</b>
        <p>${t('Answers coffer__ask and nothing else. Off until you choose one.')}</p>
      </div>
      <select
        class="sel"
        aria-label=${t('Connection of {agent}', { agent: 'Coffer' })}
        @change=${(e: Event) => set({ connection: entered(e), model: null, fast_model: null })}
      >
        <option value="" ?selected=${wish.connection === null}>${t('none')}</option>
        ${named(all, wish.connection).map((c) => html`<option value=${c} ?selected=${c === wish.connection}>${c}</option>`)}
      </select>
      ${
        wish.connection === null
          ? html`<span></span>`
          : this.model(t('Model of {agent}', { agent: 'Coffer' }), wish.connection, wish.model, (model) =>
              set({ ...wish, model }),
            )
      }
      ${wish.connection !== null && wish.model === null ? html`<span class="chip warn">${t('choose a model')}</span>` : html`<span></span>`}
    </div>`;
  }

  /** Any name may be typed: not every endpoint lists its models. */
  private model(
    label: string,
    connection: string,
    value: string | null,
    chosen: (model: string | null) => void,
  ): unknown {
    this.learn(connection);
    const id = `models-${connection}`;
    return html`<span>
      <input
        class="in"
        list=${id}
        aria-label=${label}
        placeholder=${t('as it likes')}
        autocomplete="off"
        spellcheck="false"
        .value=${value ?? ''}
        @change=${(e: Event) => chosen(entered(e))}
      />
      <datalist id=${id}>
        ${(this.models.get(connection) ?? []).map((m) => html`<option value=${m}></option>`)}
      </datalist>
    </span>`;
  }

  private learn(connection: string): void {
    if (this.models.has(connection)) return;
    const keep = (models: readonly string[]): void => void (this.models = new Map(this.models).set(connection, models));
    // Asked once; a render must not ask again while the answer is on its way.
    queueMicrotask(() => keep([]));
    // No list is no fault here: a name can be typed.
    void modelsOf(connection).then(
      ({ models }) => keep(models),
      () => undefined,
    );
  }

  private pick(a: Agent, wish: Wish, truth: Wish): void {
    const next = new Map(this.wishes);
    if (same(wish, truth)) next.delete(a.agent);
    else next.set(a.agent, wish);
    this.wishes = next;
    const draft: SwitchDraft = { agent: a.agent, label: a.label, wish };
    if (!same(wish, truth)) this.emit('llm-draft', draft);
  }

  private async setEngine({ connection, model }: Wish): Promise<void> {
    try {
      await api.put('/llm-engine', { connection, model });
      toast(
        connection === null
          ? t('Coffer itself runs on nothing now')
          : t('Coffer itself runs on {name} now', { name: connection }),
      );
    } catch (e) {
      toast(messageOf(e));
    }
    await engine.load();
    const next = new Map(this.wishes);
    next.delete('');
    this.wishes = next;
  }
}

const entered = (e: Event): string | null => {
  const value = (e.target as HTMLSelectElement | HTMLInputElement).value.trim();
  return value === '' ? null : value;
};

const same = (a: Wish, b: Wish): boolean => a.connection === b.connection && (a.model ?? '') === (b.model ?? '');

/** One that is chosen is in the list, also when it is switched off by now. */
const named = (choices: readonly string[], chosen: string | null): readonly string[] =>
  chosen === null || choices.includes(chosen) ? choices : [...choices, chosen];
