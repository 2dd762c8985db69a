import { css, html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, kitStyles } from './core/element.js';
import { t } from './core/i18n.js';
import type { Machine, Scope } from './core/types.js';
import { scopeWords, sees, turn } from './scope-words.js';

export interface ScopeRow {
  id: string;
  label: string;
  href: string;
  scope: Scope;
  axes: readonly string[];
  /** Differs from what is saved. */
  edited?: boolean;
}

/**
 * Who sees what: a grid of machines and agents. The column *others* are clients that give no name; *any other* are machines that
 * are not known yet.
 * @fires cf-change - `{id, scope}`
 */
@customElement('cf-scope-matrix')
export class CfScopeMatrix extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .mx thead th:first-child {
        text-align: left;
        position: sticky;
        left: 0;
      }
      .mx td.words {
        text-align: left;
        padding: 0 14px;
        white-space: nowrap;
      }
      .mx td button:focus-visible {
        outline-offset: -2px;
      }
    `,
  ];
  @property({ attribute: false }) rows: readonly ScopeRow[] = [];
  @property({ attribute: false }) machines: readonly Machine[] = [];
  @property({ attribute: false }) agents: readonly string[] = [];
  @property() label = '';

  override render(): unknown {
    const places = [
      ...this.machines.map((m) => ({ id: m.id, name: m.display_name, here: m.this_machine })),
      { id: '*', name: t('any other machine'), here: false },
    ];
    const columns = [...this.agents, ''];
    return html`<div class="tw" tabindex="0" role="region" aria-label=${this.label}>
      <table class="mx" aria-label=${this.label}>
        <thead>
          <tr>
            <th rowspan="2" scope="col">${t('Resource')}</th>
            ${places.map(
              (p) =>
                html`<th colspan=${columns.length} scope="colgroup" class="m1">
                  ${p.name}${p.here ? html` <span class="dim">${t('this machine')}</span>` : nothing}
                </th>`,
            )}
            <th rowspan="2" scope="col" class="m1">${t('In words')}</th>
          </tr>
          <tr>
            ${places.map(() =>
              columns.map(
                (a, i) =>
                  html`<th scope="col" class=${i === 0 ? 'm1' : ''}>
                    ${a === '' ? html`<span title=${t('Clients that give no name')}>${t('others')}</span>` : a}
                  </th>`,
              ),
            )}
          </tr>
        </thead>
        <tbody>
          ${this.rows.map((row) => this.row(row, places, columns))}
        </tbody>
      </table>
    </div>`;
  }

  private row(row: ScopeRow, places: readonly { id: string; name: string }[], columns: readonly string[]): unknown {
    const byAgent = row.axes.includes('agent');
    const words = scopeWords(row.scope, this.machines);
    return html`<tr data-scope=${row.id}>
      <th scope="row"><a href=${row.href}>${row.label}</a></th>
      ${places.map((p) =>
        byAgent
          ? columns.map((agent, i) => this.cell(row, p, agent, i === 0))
          : html`${this.cell(row, p, '', true, columns.length)}`,
      )}
      <td class="m1 words sm mut">${t('{who} {where}', words)}</td>
    </tr>`;
  }

  private cell(row: ScopeRow, place: { id: string; name: string }, agent: string, first: boolean, span = 1): unknown {
    const on = sees(row.scope, place.id, agent);
    const name = `${row.label}, ${place.name}, ${agent || t('others')}`;
    const mark = row.edited === true ? (on ? 'e' : 'r') : on ? 'y' : 'n';
    return html`<td class=${first ? 'm1' : ''} colspan=${span}>
      <button
        type="button"
        aria-pressed=${on}
        aria-label=${name}
        title=${on ? t('sees it') : t('does not see it')}
        @click=${() => this.emit('cf-change', { id: row.id, scope: turn(row.scope, place.id, agent, !on, this.agents) })}
      >
        <span class="cell ${mark}">${on ? html`<cf-icon name="check"></cf-icon>` : nothing}</span>
      </button>
    </td>`;
  }
}

/**
 * The scope of one resource: everywhere, nowhere, or chosen in a grid.
 * @fires cf-change - `{scope}`
 */
@customElement('cf-scope-editor')
export class CfScopeEditor extends CofferElement {
  @property({ attribute: false }) value: Scope = null;
  @property({ attribute: false }) axes: readonly string[] = ['machine', 'agent'];
  @property({ attribute: false }) machines: readonly Machine[] = [];
  @property({ attribute: false }) agents: readonly string[] = [];
  @property() label = '';

  override render(): unknown {
    const mode = this.value === null ? 'all' : Object.keys(this.value).length === 0 ? 'none' : 'some';
    return html`<div class="col gap-4">
      <div>
        <cf-segmented
          label=${t('Who sees it')}
          value=${mode}
          .items=${[
            { id: 'all', label: t('Everyone') },
            { id: 'some', label: t('Chosen') },
            { id: 'none', label: t('Nobody') },
          ]}
          @cf-change=${(e: CustomEvent<{ id: string }>) => {
            e.stopPropagation();
            const here = this.machines.find((m) => m.this_machine)?.id ?? '*';
            const scope: Scope = { all: null, none: {}, some: { [here]: '*' as const } }[e.detail.id] ?? null;
            if (e.detail.id !== mode) this.emit('cf-change', { scope });
          }}
        ></cf-segmented>
      </div>
      <div class="panel">
        <cf-scope-matrix
          label=${this.label}
          .rows=${[{ id: 'one', label: this.label, href: location.pathname, scope: this.value, axes: this.axes }]}
          .machines=${this.machines}
          .agents=${this.agents}
          @cf-change=${(e: CustomEvent<{ scope: Scope }>) => {
            e.stopPropagation();
            this.emit('cf-change', { scope: e.detail.scope });
          }}
        ></cf-scope-matrix>
      </div>
      <p class="sm dim">
        ${t('Scope tidies what agents find. It is no wall: whoever can start programs on this machine can reach more.')}
      </p>
    </div>`;
  }
}
