import { css, html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import {
  CofferElement,
  Source,
  Use,
  api,
  kitStyles,
  messageOf,
  plural,
  query,
  queryValue,
  setQuery,
  t,
  toast,
  type AuditEntry,
  type Invocation,
} from '../kit/index.js';
import { LogPages } from './log-pages.js';
import { buckets, marks } from './numbers.js';

const RANGES: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };
const PAGE = 500;
/** So many of the last marks are said under the charts. */
const NAMED = 3;

interface Logs {
  calls: LogPages<Invocation>;
  changes: LogPages<AuditEntry>;
}
type CallsPage = { invocations: Invocation[]; next: number | null };
type ChangesPage = { entries: AuditEntry[]; next: number | null };

/** What happened and why: calls and changes on one time axis. */
@customElement('coffer-activity')
export class CofferActivity extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .marked::before {
        content: '';
        display: inline-block;
        width: 7px;
        height: 5px;
        margin-right: 6px;
        vertical-align: middle;
        background: var(--brass);
        clip-path: polygon(0 0, 100% 0, 50% 100%);
      }
    `,
  ];
  #logs = new Use<Logs>(this, undefined);
  #range = '';

  private get range(): string {
    const given = queryValue('range');
    return RANGES[given] === undefined ? '24h' : given;
  }
  private get since(): string {
    return new Date(Date.now() - (RANGES[this.range] ?? 24) * 3_600_000).toISOString();
  }

  protected override willUpdate(): void {
    if (this.#range === this.range) return;
    this.#range = this.range;
    const logs: Logs = { calls: new LogPages(), changes: new LogPages() };
    this.#logs.point(
      new Source(async () => {
        const page = query({ limit: PAGE, since: this.since });
        const [calls, changes] = await Promise.all([
          api.get<CallsPage>(`/invocations${page}`),
          api.get<ChangesPage>(`/audit${page}`),
        ]);
        logs.calls.newest(calls.invocations, calls.next);
        logs.changes.newest(changes.entries, changes.next);
        return logs;
      }, ['invocation', 'audit']),
    );
  }

  override render(): unknown {
    const logs = this.#logs.value;
    const tab = queryValue('show') === 'changes' ? 'changes' : 'calls';
    return html`<cf-page
      heading=${t('Activity')}
      text=${t('What was called, by whom, how it went; and what was changed. Never what was said.')}
    >
      <cf-segmented
        slot="actions"
        label=${t('Time range')}
        value=${this.range}
        .items=${[
          { id: '1h', label: t('1 h') },
          { id: '24h', label: t('24 h') },
          { id: '7d', label: t('7 d') },
          { id: '30d', label: t('30 d') },
        ]}
        @cf-change=${(e: CustomEvent<{ id: string }>) => {
          setQuery({ range: e.detail.id });
          this.requestUpdate();
        }}
      ></cf-segmented>
      ${
        logs === undefined
          ? this.#logs.error === undefined
            ? html`<cf-skeleton></cf-skeleton>`
            : html`<cf-error .error=${this.#logs.error} @cf-retry=${() => void this.#logs.reload()}></cf-error>`
          : html`${this.charts(logs.calls.rows, logs.changes.rows)}
              <cf-tabs
                class="mt-4"
                label=${t('Which log')}
                value=${tab}
                .items=${[
                  { id: 'calls', label: t('Calls'), count: String(logs.calls.rows.length) },
                  { id: 'changes', label: t('Changes'), count: String(logs.changes.rows.length) },
                ]}
                @cf-change=${(e: CustomEvent<{ id: string }>) => {
                  setQuery({ show: e.detail.id === 'calls' ? undefined : e.detail.id });
                  this.requestUpdate();
                }}
              ></cf-tabs>
              <div
                role="tabpanel"
                aria-label=${tab === 'calls' ? t('Calls') : t('Changes')}
                @cf-more=${() => void this.fetchOlder(logs, tab)}
              >
                ${
                  tab === 'calls'
                    ? html`<cf-calls-list
                        .calls=${logs.calls.rows}
                        ?more=${logs.calls.cursor !== null}
                      ></cf-calls-list>`
                    : html`<cf-audit-list
                        .entries=${logs.changes.rows}
                        ?more=${logs.changes.cursor !== null}
                      ></cf-audit-list>`
                }
              </div>`
      }
    </cf-page>`;
  }

  private charts(calls: readonly Invocation[], changes: readonly AuditEntry[]): unknown {
    const [from, now] = [Date.parse(this.since), Date.now()];
    const b = buckets(calls, from, now);
    // The axis ends where the last span begins: a change of this very moment is marked there.
    const last = b.times.at(-1) ?? 0;
    const annotations = marks(changes, from, now).map((m) => ({ ...m, at: Math.min(m.at, last) }));
    const failed = calls.filter((c) => c.status !== 'ok').length;
    const share = calls.length === 0 ? 0 : failed / calls.length;
    const panel = (title: string, note: string, end: unknown, chart: unknown): unknown =>
      html`<section class="panel">
        <div class="ph">
          <h2>${title}</h2>
          <span class="dim">${note}</span><span class="end">${end}</span>
        </div>
        <div class="pb">${chart}</div>
      </section>`;
    return html`<div class="grid g-3">
        ${panel(
          t('Calls'),
          plural(calls.length, '{n} call', '{n} calls'),
          '',
          html`<cf-chart
            kind="bars"
            label=${t('Calls over time')}
            .times=${b.times}
            .annotations=${annotations}
            .series=${[{ label: t('calls'), colour: 1, values: b.calls }]}
          ></cf-chart>`,
        )}
        ${panel(
          t('Failed'),
          t('of all calls'),
          html`<b class="tnum">${(share * 100).toFixed(1)}%</b>`,
          html`<cf-chart
            kind="bars"
            label=${t('Failed calls over time')}
            .times=${b.times}
            .annotations=${annotations}
            .series=${[{ label: t('failed'), colour: 2, values: b.failed }]}
          ></cf-chart>`,
        )}
        ${panel(
          t('Time taken'),
          t('median and 95th of a hundred, ms'),
          '',
          html`<cf-chart
            label=${t('Time taken over time')}
            .times=${b.times}
            .annotations=${annotations}
            .series=${[
              { label: t('median'), colour: 1, values: b.median },
              { label: t('95th'), colour: 3, values: b.slow },
            ]}
          ></cf-chart>`,
        )}
      </div>
      <p class="sm dim mt-2 ${changes.length === 0 ? '' : 'marked'}" data-changes>
        ${plural(changes.length, '{n} change in this time', '{n} changes in this time')}${
          changes.length === 0
            ? nothing
            : html`, ${t('marked on every chart, so that a cause stands next to its effect.')}
              ${annotations
                .slice(0, NAMED)
                .map((m) => m.text)
                .join(' · ')}`
        }
      </p>`;
  }

  private async fetchOlder(logs: Logs, which: 'calls' | 'changes'): Promise<void> {
    const { cursor } = logs[which];
    if (cursor === null) return;
    const page = query({ limit: PAGE, since: this.since, cursor });
    try {
      if (which === 'calls') {
        const a = await api.get<CallsPage>(`/invocations${page}`);
        logs.calls.older(a.invocations, a.next);
      } else {
        const a = await api.get<ChangesPage>(`/audit${page}`);
        logs.changes.older(a.entries, a.next);
      }
    } catch (e) {
      toast(messageOf(e));
    }
    this.requestUpdate();
  }
}
