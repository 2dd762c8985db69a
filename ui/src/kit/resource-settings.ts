import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api, ApiError, messageOf, type Problem } from './core/api.js';
import { draft } from './core/draft.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';
import { toast } from './core/notify.js';
import type { Resource, Schema } from './core/types.js';
import type { CfForm } from './form.js';
import { resourcePath } from './resource-data.js';

interface Draft {
  config: unknown;
  description: string;
  /** The revision that was opened. */
  revision: string;
}

/** Settings of one resource as a form of its kind's schema. A draft survives reload; somebody else's change is told, never lost. */
@customElement('cf-resource-settings')
export class CfResourceSettings extends CofferElement {
  @property({ attribute: false }) resource!: Resource;
  @property({ attribute: false }) schema: Schema = {};
  @state() private edit: Draft | undefined;
  @state() private problems: readonly Problem[] = [];
  @state() private error = '';
  @state() private theirs: Resource | undefined;
  @state() private json = false;

  private get key(): string {
    return this.resource.ref;
  }

  override render(): unknown {
    const edit = this.edit ?? draft.get<Draft>(this.key) ?? this.opened();
    const changed = this.edit !== undefined || draft.get(this.key) !== undefined;
    return html`<div class="col gap-4">
      ${this.theirs === undefined ? nothing : this.conflict(edit, this.theirs)}
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
    return {
      config: this.resource.config,
      description: this.resource.description ?? '',
      revision: this.resource.updated_at,
    };
  }

  private keep(next: Draft): void {
    this.edit = next;
    draft.set(this.key, next);
  }

  private discard(): void {
    this.edit = undefined;
    this.theirs = undefined;
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
        this.theirs = await api.get<Resource>(resourcePath(this.resource.kind, this.resource.name));
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

  private conflict(mine: Draft, theirs: Resource): unknown {
    const text = (v: unknown): string => JSON.stringify(v, null, 2);
    return html`<div class="note warn" role="alert">
        <cf-icon name="warn"></cf-icon>
        <div class="grow">
          <b>${t('Somebody else changed this while you were editing')}</b>
          <p>${t('Nothing was saved and nothing is lost. Compare, then choose.')}</p>
        </div>
        <span class="end row">
          <button
            class="btn sm"
            type="button"
            data-act="mine"
            @click=${() => void this.save({ ...mine, revision: theirs.updated_at })}
          >
            ${t('Save mine over it')}
          </button>
          <button class="btn sm" type="button" data-act="theirs" @click=${this.discard}>${t('Take theirs')}</button>
        </span>
      </div>
      <cf-diff left=${t('theirs')} right=${t('mine')} .old=${text(theirs.config)} .now=${text(mine.config)}></cf-diff>`;
  }
}
