import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';
import { duration } from './core/format.js';
import { t } from './core/i18n.js';
import type { Invocation } from './core/types.js';
import type { State } from './status.js';
import type { Column } from './table-model.js';

const STATES: Readonly<Record<Invocation['status'], State>> = {
  ok: 'ok',
  error: 'bad',
  timeout: 'warn',
  denied: 'held',
  cancelled: 'off',
};

export function statusWords(status: Invocation['status']): string {
  return { ok: t('OK'), error: t('Error'), timeout: t('Too slow'), denied: t('Denied'), cancelled: t('Cancelled') }[
    status
  ];
}

/** Calls, newest first; never their arguments or results. */
@customElement('cf-calls-list')
export class CfCallsList extends CofferElement {
  @property({ attribute: false }) calls: readonly Invocation[] = [];
  @property({ type: Boolean }) more = false;
  /** Without search and filter, for small places. */
  @property({ type: Boolean }) plain = false;
  /** Calls that came after this were seen to arrive. */
  @property({ type: Number }) since = Infinity;

  private columns(): Column<Invocation>[] {
    return [
      {
        key: 'time',
        label: t('Time'),
        width: 's',
        sort: (c) => c.id,
        cell: (c) => html`<cf-time class="dim" format="clock" at=${c.timestamp}></cf-time>`,
      },
      {
        key: 'what',
        label: t('What'),
        sort: (c) => `${c.server} ${c.capability_key}`,
        cell: (c) => html`<div class="nm mono cut" title=${c.capability_key}>${c.server}__${c.capability_key}</div>`,
      },
      {
        key: 'agent',
        label: t('Client'),
        width: 's',
        priority: 3,
        cell: (c) => html`<span class="mut">${c.agent ?? t('no name given')}</span>`,
      },
      {
        key: 'status',
        label: t('State'),
        width: 's',
        sort: (c) => c.status,
        cell: (c) =>
          html`<cf-status state=${STATES[c.status]} title=${c.error_message ?? ''}
            >${statusWords(c.status)}</cf-status
          >`,
      },
      {
        key: 'ms',
        label: t('Took'),
        width: 's',
        numeric: true,
        priority: 2,
        sort: (c) => c.duration_ms,
        cell: (c) => duration(c.duration_ms),
      },
    ];
  }

  override render(): unknown {
    return html`<cf-table
      label=${t('Calls')}
      find=${t('Find in calls')}
      dense
      .columns=${this.columns()}
      .rows=${this.calls}
      .keyOf=${(c: Invocation) => String(c.id)}
      .rowClass=${(c: Invocation) => (c.id > this.since ? 'new' : '')}
      .textOf=${this.plain ? undefined : (c: Invocation) => `${c.server} ${c.capability_key} ${c.agent ?? ''} ${c.status} ${c.error_message ?? ''}`}
      .filters=${
        this.plain
          ? []
          : (['ok', 'error', 'timeout', 'denied', 'cancelled'] as const).map((id) => ({
              id,
              label: statusWords(id),
              fits: (c: Invocation) => c.status === id,
            }))
      }
      ?more=${this.more}
    >
      <cf-empty
        slot="empty"
        icon="activity"
        heading=${t('No call yet')}
        text=${t('Calls appear here the moment a client makes them.')}
      ></cf-empty>
    </cf-table>`;
  }
}
