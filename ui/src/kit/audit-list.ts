import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';
import type { AuditEntry } from './core/types.js';
import type { Column } from './table-model.js';
import { eventWords } from './resource-words.js';

/** Changes, newest first; a row opens to what the log holds of it. */
@customElement('cf-audit-list')
export class CfAuditList extends CofferElement {
  @property({ attribute: false }) entries: readonly AuditEntry[] = [];
  @property({ type: Boolean }) more = false;
  @state() private open: AuditEntry | undefined;

  private columns(): Column<AuditEntry>[] {
    return [
      {
        key: 'time',
        label: t('Time'),
        width: 's',
        sort: (e) => e.id,
        cell: (e) => html`<cf-time class="dim" at=${e.timestamp}></cf-time>`,
      },
      { key: 'event', label: t('What'), cell: (e) => html`<span class="nm">${eventWords(e.event_type)}</span>` },
      {
        key: 'resource',
        label: t('Of'),
        priority: 2,
        cell: (e) => html`<span class="mono">${subjectOf(e)}</span>`,
      },
      { key: 'actor', label: t('By'), width: 's', priority: 2, cell: (e) => actorWords(e.actor) },
    ];
  }

  override render(): unknown {
    return html`<cf-table
        label=${t('Changes')}
        find=${t('Find in changes')}
        dense
        opens
        .columns=${this.columns()}
        .rows=${this.entries}
        .keyOf=${(e: AuditEntry) => String(e.id)}
        .textOf=${(e: AuditEntry) => `${e.event_type} ${eventWords(e.event_type)} ${subjectOf(e)} ${e.actor} ${JSON.stringify(e.details ?? '')}`}
        ?more=${this.more}
        @cf-open=${(e: CustomEvent<{ row: AuditEntry }>) => (this.open = e.detail.row)}
      >
        <cf-empty
          slot="empty"
          icon="activity"
          heading=${t('No change yet')}
          text=${t('Whatever is changed is written down here, with its author.')}
        ></cf-empty>
      </cf-table>
      <cf-dialog
        heading=${this.open === undefined ? '' : eventWords(this.open.event_type)}
        ?open=${this.open !== undefined}
        @cf-close=${() => (this.open = undefined)}
      >
        ${this.open === undefined ? nothing : html`<cf-json label=${t('As logged')} .value=${this.open}></cf-json>`}
      </cf-dialog>`;
  }
}

/** What an entry is about: a resource, a credential, a plugin; empty where the log names nothing. */
export function subjectOf(e: AuditEntry): string {
  if (e.resource_name !== null) return `${e.resource_kind ?? ''}:${e.resource_name}`;
  const { ref, name, table } = e.details ?? {};
  const subject = ref ?? name ?? table;
  return typeof subject === 'string' ? subject : '';
}

export function actorWords(actor: string): string {
  const known: Record<string, string> = {
    ui: t('you, here'),
    cli: t('you, command line'),
    system: 'Coffer',
    agent: t('an agent'),
  };
  return known[actor] ?? actor.toUpperCase();
}
