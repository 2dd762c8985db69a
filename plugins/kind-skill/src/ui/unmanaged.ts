import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ApiError, CofferElement, api, confirm, messageOf, plural, query, t, toast } from '@coffer/ui';
import { problemWords, skills, unmanaged, type Unmanaged } from './data.js';

/** What agents have of their own: taken over or deleted, each on request only. */
@customElement('skill-unmanaged')
export class SkillUnmanaged extends CofferElement {
  @property({ attribute: false }) items: readonly Unmanaged[] = [];
  @state() private open = false;
  @state() private busy = '';

  override render(): unknown {
    const n = this.items.length;
    if (n === 0) return nothing;
    return html`<section class="panel" aria-label=${t("In agents' own folders")} data-unmanaged>
      <div class="ph">
        <h2>
          ${plural(n, "{n} skill in agents' own folders is not in the vault", "{n} skills in agents' own folders are not in the vault")}
        </h2>
        <button class="btn sm end" type="button" aria-expanded=${this.open} @click=${() => (this.open = !this.open)}>
          ${this.open ? t('Hide') : t('Look at them')}
        </button>
      </div>
      ${this.open ? html`<div class="pb col gap-4">${this.items.map((u) => this.row(u))}</div>` : nothing}
    </section>`;
  }

  private row(u: Unmanaged): unknown {
    const why = u.foreign_link
      ? t('A link to another place: import that place instead.')
      : u.problem === null
        ? u.taken
          ? t('The vault has one of this name.')
          : t('Can be taken over.')
        : problemWords(u.problem);
    return html`<div class="row wrap" data-item=${u.name}>
      <div class="grow">
        <b>${u.name}</b> <span class="chip line">${u.agent}</span>
        <div class="sm dim"><code>${u.path}</code></div>
        <div class="sm mut">${why}</div>
      </div>
      ${
        u.valid
          ? html`<button
              class="btn sm"
              type="button"
              ?disabled=${this.busy !== ''}
              @click=${() => void this.act(u, () => this.adopt(u))}
            >
              ${t('Take over {name}', { name: u.name })}
            </button>`
          : nothing
      }
      <button
        class="btn sm ghost"
        type="button"
        ?disabled=${this.busy !== ''}
        @click=${() => void this.act(u, () => this.erase(u))}
      >
        ${t('Delete {name}…', { name: u.name })}
      </button>
    </div>`;
  }

  private async act(u: Unmanaged, work: () => Promise<void>): Promise<void> {
    this.busy = u.path;
    try {
      await work();
      await Promise.all([skills.load(), unmanaged.load()]);
    } catch (e) {
      toast(messageOf(e));
    }
    this.busy = '';
  }

  private async adopt(u: Unmanaged): Promise<void> {
    const body = { agent: u.agent, name: u.name, location: u.location };
    try {
      await api.post('/unmanaged-skills/adopt', body);
    } catch (e) {
      if (!(e instanceof ApiError) || e.code !== 'RESOURCE_ALREADY_EXISTS') throw e;
      const sure = await confirm({
        title: t('Replace {name} in the vault?', { name: u.name }),
        text: t("The agent's version takes its place, for every agent. The vault's version goes."),
        verb: t('Replace'),
        danger: true,
      });
      if (!sure) return;
      await api.post('/unmanaged-skills/adopt', { ...body, replace: true });
    }
    toast(t('{name} is in the vault now', { name: u.name }));
  }

  private async erase(u: Unmanaged): Promise<void> {
    const sure = await confirm({
      title: t('Delete {name}?', { name: u.name }),
      text: u.foreign_link ? t('Only the link goes.') : t('Its folder goes. The vault has no copy of it.'),
      verb: t('Delete'),
      danger: true,
    });
    if (sure) await api.delete(`/unmanaged-skills${query({ agent: u.agent, name: u.name, location: u.location })}`);
  }
}
