import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api, ApiError, messageOf, type Problem } from './core/api.js';
import { draft } from './core/draft.js';
import { CofferElement, kitStyles } from './core/element.js';
import { listed } from './core/format.js';
import { t } from './core/i18n.js';
import { toast } from './core/notify.js';
import type { Resource, Schema } from './core/types.js';
import type { CfForm } from './form.js';
import { merge, same, type Merged } from './merge.js';
import { resourcePath } from './resource-data.js';

interface Values {
  description: string;
  config: unknown;
}
interface Draft extends Values {
  /** The revision that was opened, and what it said. */
  revision: string;
  base: Values;
}
interface Conflict {
  theirs: Resource;
  /** Mine and theirs in one. */
  both: Merged;
}

const valuesOf = (r: Resource): Values => ({ description: r.description ?? '', config: r.config });
const text = (v: Values): string => JSON.stringify({ description: v.description, config: v.config }, null, 2);

/** Settings of one resource as a form of its kind's schema. A draft survives reload; somebody else's change is told, never lost. */
@customElement('cf-resource-settings')
export class CfResourceSettings extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      /* Room for the bar that stays on top of a small screen. */
      [data-conflict] {
        scroll-margin-top: 64px;
      }
    `,
  ];
  @property({ attribute: false }) resource!: Resource;
  @property({ attribute: false }) schema: Schema = {};
  @state() private edit: Draft | undefined;
  @state() private problems: readonly Problem[] = [];
  @state() private error = '';
  @state() private conflict: Conflict | undefined;
  @state() private json = false;

  private get key(): string {
    return this.resource.ref;
  }

  override render(): unknown {
    const edit = this.edit ?? draft.get<Draft>(this.key) ?? this.opened();
    const changed = this.edit !== undefined || draft.get(this.key) !== undefined;
    return html`<div class="col gap-4">
      ${this.conflict === undefined ? nothing : this.compare(edit, this.conflict)}
      ${this.error === '' ? nothing : html`<div class="note bad" role="alert"><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`}
      <section class="panel">
        <div class="ph">
          <h2>${t('Settings')}</h2>
          <span class="end"
            ><button class="btn sm ghost" type="button" @click=${() => (this.json = !this.json)}>
              ${this.json ? t('As a form') : t('As JSON')}
            </button></span
          >
        </div>
        <div class="pb col gap-4">
          <div class="f">
            <label for="description">${t('Description')} <span class="opt">${t('optional')}</span></label>
            <input
              class="in"
              id="description"
              .value=${edit.description}
              @input=${(e: InputEvent) => this.keep({ ...edit, description: (e.target as HTMLInputElement).value })}
            />
          </div>
          <cf-form
            .schema=${this.schema}
            .value=${edit.config}
            .problems=${this.problems}
            .json=${this.json}
            @cf-change=${(e: CustomEvent<{ value: unknown }>) => {
              e.stopPropagation();
              this.keep({ ...edit, config: e.detail.value });
            }}
            @cf-submit=${() => void this.save(edit)}
          >
            <div slot="footer" class="row">
              <button class="btn pri" type="button" ?disabled=${!changed} @click=${this.submit}>${t('Save')}</button>
              <button class="btn ghost" type="button" ?disabled=${!changed} @click=${this.discard}>
                ${t('Discard')}
              </button>
              ${changed ? html`<span class="dim sm" role="status">${t('Not saved yet; kept in this tab.')}</span>` : nothing}
            </div>
          </cf-form>
        </div>
      </section>
    </div>`;
  }

  private opened(): Draft {
    const base = valuesOf(this.resource);
    return { ...base, base, revision: this.resource.updated_at };
  }

  private keep(next: Draft): void {
    this.edit = next;
    draft.set(this.key, next);
  }

  private discard(): void {
    this.edit = undefined;
    this.conflict = undefined;
    this.problems = [];
    this.error = '';
    draft.drop(this.key);
    this.requestUpdate();
  }

  private submit(): void {
    void this.renderRoot.querySelector<CfForm>('cf-form')?.submit();
  }

  private async save(edit: Draft): Promise<void> {
    try {
      await api.patch(resourcePath(this.resource.kind, this.resource.name), {
        description: edit.description === '' ? null : edit.description,
        config: edit.config,
        expected_updated_at: edit.revision,
      });
      this.discard();
      toast(t('Settings of {name} saved', { name: this.resource.name }));
    } catch (e) {
      if (e instanceof ApiError && e.code === 'RESOURCE_STALE') {
        await this.stale(edit);
        return;
      }
      // The server's pointers begin at what was sent; the form's at the config.
      this.problems =
        e instanceof ApiError
          ? e.problems.map((p) => ({ ...p, pointer: p.pointer.replace(/^\/config(?=\/|$)/, '') }))
          : [];
      this.error = this.problems.length > 0 ? '' : messageOf(e);
    }
  }

  /** A switch or a scope that was turned meanwhile is no other setting: then the save goes on. */
  private async stale(mine: Draft): Promise<void> {
    try {
      const theirs = await api.get<Resource>(resourcePath(this.resource.kind, this.resource.name));
      const now = valuesOf(theirs);
      if (same(now, mine.base)) return await this.save({ ...mine, revision: theirs.updated_at });
      this.conflict = { theirs, both: merge(mine.base, { description: mine.description, config: mine.config }, now) };
      // Save is pressed at the end of the form; what it led to stands above.
      await this.updateComplete;
      const told = this.renderRoot.querySelector<HTMLElement>('[data-conflict]');
      told?.focus({ preventScroll: true });
      told?.scrollIntoView({ block: 'start' });
    } catch (e) {
      this.error = messageOf(e);
    }
  }

  /** Theirs is taken; mine can be had back for a moment, and would then be compared again. */
  private yield(mine: Draft): void {
    this.discard();
    toast(t('Your changes were dropped'), () => this.keep(mine));
  }

  private compare(mine: Draft, { theirs, both }: Conflict): unknown {
    const now = valuesOf(theirs);
    const save = (values: Values): unknown => this.save({ ...values, base: now, revision: theirs.updated_at });
    // What merge() was given is Values, and so is what it makes of them.
    const merged = both.value as Values;
    return html`<section class="col gap-4" data-conflict tabindex="-1">
      <div class="note warn wrap" role="alert">
        <cf-icon name="warn"></cf-icon>
        <div class="grow">
          <b>${t('Somebody else changed this while you were editing')}</b>
          <p>
            ${t('Nothing was saved and nothing is lost. Compare, then choose.')}
            ${both.clashes.length === 0 ? nothing : t('Both of you changed {fields}.', { fields: listed(both.clashes.map((c) => c.slice(1))) })}
          </p>
        </div>
        <span class="end row wrap">
          ${
            both.clashes.length === 0
              ? html`<button class="btn sm pri" type="button" data-act="both" @click=${() => save(merged)}>
                  ${t('Save both')}
                </button>`
              : html`<button class="btn sm" type="button" data-act="mine" @click=${() => save(merged)}>
                  ${t('Save both, mine where they meet')}
                </button>`
          }
          <button class="btn sm" type="button" data-act="theirs" @click=${() => this.yield(mine)}>
            ${t('Take theirs')}
          </button>
        </span>
      </div>
      <div data-diff="theirs">
        <h2>${t('What was changed meanwhile')}</h2>
        <cf-diff left=${t('before')} right=${t('theirs')} .old=${text(mine.base)} .now=${text(now)}></cf-diff>
      </div>
      <div data-diff="both">
        <h2>${both.clashes.length === 0 ? t('What saving both makes of it') : t('What saving mine makes of it')}</h2>
        <cf-diff left=${t('theirs')} right=${t('then')} .old=${text(now)} .now=${text(merged)}></cf-diff>
      </div>
    </section>`;
  }
}
