import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { CofferElement, api, messageOf, plural, t, toast } from '@coffer/ui';
import { skills, type Drift } from './data.js';

const KINDS: Record<Drift['kind'], () => string> = {
  missing_link: () => t('The link is missing'),
  tampered_link: () => t('The link leads elsewhere'),
  replaced_with_regular: () => t('Something else is in its place'),
  missing_master: () => t('The master folder is gone'),
  orphan_master: () => t('A folder without a skill'),
};

/** What the disk says against the vault, and the one button that mends what may be mended. Looks when it is opened. */
@customElement('skill-drift')
export class SkillDrift extends CofferElement {
  @state() private entries: readonly Drift[] | undefined;
  @state() private busy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  override render(): unknown {
    const found = this.entries;
    if (found === undefined) return html`<cf-skeleton></cf-skeleton>`;
    return html`<section class="panel" aria-label=${t('Drift')} data-drift>
      <div class="ph">
        <h2>
          <span aria-live="polite"
            >${
              found.length === 0
                ? t('Everything is as it should be')
                : plural(found.length, '{n} place differs', '{n} places differ')
            }</span
          >
        </h2>
        <span class="end row">
          ${
            found.length === 0
              ? nothing
              : html`<button
                  class="btn sm pri"
                  type="button"
                  data-act="repair"
                  ?disabled=${this.busy}
                  @click=${() => void this.repair()}
                >
                  ${t('Repair')}
                </button>`
          }
          <button class="btn sm ghost" type="button" @click=${() => this.emit('cf-close', {})}>${t('Close')}</button>
        </span>
      </div>
      ${
        found.length === 0
          ? nothing
          : html`<div class="pb col gap-4">
              ${found.map(
                (d) =>
                  html`<div class="note warn">
                    <cf-icon name="warn"></cf-icon>
                    <div class="grow">
                      <b>${d.skill_name}${d.agent_name === null ? nothing : html` · ${d.agent_name}`}</b>
                      <p>${KINDS[d.kind]()}. <code>${d.target_path}</code></p>
                      <p class="sm dim" lang="en">${d.suggested_remedy}</p>
                    </div>
                  </div>`,
              )}
              <p class="sm dim">
                ${t('Repair makes links again. What a person put in the place of one stays where it is.')}
              </p>
            </div>`
      }
    </section>`;
  }

  private async look(): Promise<void> {
    try {
      this.entries = (await api.post<{ entries: Drift[] }>('/skills/verify')).entries;
    } catch (e) {
      toast(messageOf(e));
    }
  }

  private async repair(): Promise<void> {
    this.busy = true;
    try {
      const done = await api.post<{ remediated: Drift[]; remaining: { entries: Drift[] } }>('/skills/repair');
      this.entries = done.remaining.entries;
      toast(plural(done.remediated.length, '{n} place was mended', '{n} places were mended'));
      await skills.load();
    } catch (e) {
      toast(messageOf(e));
    }
    this.busy = false;
  }
}
