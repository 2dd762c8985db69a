import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, format, stateOf, t, type Json, type Resource } from '@coffer/ui';
import { placeOf, transportOf } from './list.js';

/** What the server is and how it stands, in facts. */
@customElement('mcp-server-overview')
export class McpServerOverview extends CofferElement {
  @property({ attribute: false }) resource!: Resource;

  override render(): unknown {
    const r = this.resource;
    const info = r.status['server_info'] as { name?: string; version?: string } | undefined;
    const findings = (r.status['findings'] ?? []) as Json[];
    const transport = r.config['transport'] as { credential_refs?: Record<string, string> } | undefined;
    const refs = Object.entries(transport?.credential_refs ?? {});
    const eras = r.status['eras'] as { newer: boolean; judged_at: string } | undefined;
    const { state, word } = stateOf(r);
    return html`<div class="col gap-4">
      ${
        r.status.reason === undefined
          ? nothing
          : html`<div class="note ${state === 'bad' ? 'bad' : 'warn'}">
              <cf-icon name="warn"></cf-icon>
              <div>
                <b>${word}</b>
                <p>${r.status.reason}</p>
              </div>
            </div>`
      }
      ${findings.map(
        (f) =>
          html`<div class="note warn">
            <cf-icon name="warn"></cf-icon>
            <div>${typeof f['message'] === 'string' ? f['message'] : JSON.stringify(f)}</div>
          </div>`,
      )}
      <section class="panel">
        <div class="pb">
          <dl class="facts">
            <dt>${t('Over')}</dt>
            <dd>${transportOf(r)}</dd>
            <dt>${t('Where')}</dt>
            <dd class="mono">${placeOf(r)}</dd>
            <dt>${t('It calls itself')}</dt>
            <dd>${info === undefined ? '–' : `${info.name ?? ''} ${info.version ?? ''}`}</dd>
            <dt>${t('Protocol')}</dt>
            <dd>${typeof r.status['protocol_version'] === 'string' ? r.status['protocol_version'] : '–'}</dd>
            ${
              eras === undefined
                ? nothing
                : html`<dt>${t('Speaks')}</dt>
                    <dd>
                      ${eras.newer ? t('2026-07-28, where each request stands alone') : t('versions up to 2025-11-25, in sessions')}
                      <span class="mut">${t('looked at {time}', { time: format.exact(eras.judged_at) })}</span>
                    </dd>`
            }
            <dt>${t('Asked')}</dt>
            <dd>${r.status.checked_at === undefined ? t('not asked yet') : format.exact(r.status.checked_at)}</dd>
            <dt>${t('Credentials')}</dt>
            <dd>
              ${refs.length === 0 ? t('none') : refs.map(([name, ref]) => html`<div><code>${name}</code> <span class="mut">${ref}</span></div>`)}
            </dd>
            <dt>${t('Added')}</dt>
            <dd>${format.exact(r.created_at)}</dd>
          </dl>
        </div>
      </section>
    </div>`;
  }
}
