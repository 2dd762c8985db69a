import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, api, confirm, format, kitStyles, messageOf, navigate, t, toast } from '@coffer/ui';
import { HOME, pathOf, type Conversation } from './data.js';

/**
 * What a conversation is called, whom it is with and where, and what may be done with all of it.
 * @fires chat-problem - `{message}`: why something could not be done; empty when it could
 */
@customElement('chat-head')
export class ChatHead extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      header {
        display: flex;
        align-items: center;
        gap: 10px;
        padding: 6px 20px;
        min-height: 52px;
        border-bottom: 1px solid var(--line);
      }
      h1 {
        font: 600 var(--t-14);
      }
      .grow {
        min-width: 0;
      }
      @media (max-width: 760px) {
        header {
          padding: 4px 10px;
          gap: 0;
          flex-wrap: wrap;
        }
        .grow {
          flex: 1 1 100%;
          order: -1;
        }
      }
    `,
  ];
  @property({ attribute: false }) about: Conversation | undefined;
  /** Of the messages that are shown. */
  @property({ type: Number }) tokens = 0;
  /** While the title is being changed. */
  @state() private naming: string | undefined;

  override render(): unknown {
    const { about } = this;
    const archived = about !== undefined && about.archived_at !== null;
    return html`<header>
      <slot></slot>
      <div class="grow">
        ${this.called()}
        <div class="row sm dim">
          <span class="cut"
            >${
              about === undefined
                ? ''
                : t('{agent} in {folder}', {
                    agent: about.agent_name ?? about.agent_key,
                    folder: about.agent_config.cwd ?? t('the workspace'),
                  })
            }</span
          >${
            about === undefined || about.channel_name === null
              ? nothing
              : html`<span class="chip line">${about.channel_name}</span>`
          }
          ${archived ? html`<span class="chip line">${t('Archived')}</span>` : nothing}
        </div>
      </div>
      <span class="sm dim tnum hide-s"
        >${this.tokens === 0 ? nothing : t('{n} tokens', { n: format.count(this.tokens) })}</span
      >
      <button class="btn sm ghost" type="button" @click=${() => void this.name()}>${t('Rename')}</button>
      <button class="btn sm ghost" type="button" @click=${() => void this.archive(!archived)}>
        ${archived ? t('Restore') : t('Archive it')}
      </button>
      <button class="btn sm ghost" type="button" @click=${() => void this.drop()}>${t('Delete')}</button>
    </header>`;
  }

  private called(): unknown {
    if (this.naming === undefined) return html`<h1 class="cut" tabindex="-1">${this.about?.title ?? ''}</h1>`;
    return html`<input
      class="in"
      maxlength="200"
      aria-label=${t('Title')}
      .value=${this.naming}
      @keydown=${(e: KeyboardEvent) => {
        if (e.key === 'Enter' && !e.isComposing) void this.rename((e.target as HTMLInputElement).value);
        if (e.key === 'Escape') this.naming = undefined;
      }}
      @blur=${(e: Event) => void this.rename((e.target as HTMLInputElement).value)}
    />`;
  }

  private at(more = ''): string {
    return pathOf(this.about?.id ?? '', more);
  }
  private async name(): Promise<void> {
    this.naming = this.about?.title ?? '';
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>('.in')?.select();
  }
  private async rename(title: string): Promise<void> {
    if (this.naming === undefined) return;
    this.naming = undefined;
    if (title.trim() !== this.about?.title) await this.attempt(() => api.patch(this.at(), { title }));
  }
  private async archive(archived: boolean): Promise<void> {
    const [there, back] = [this.at('/archive'), this.at('/unarchive')];
    const done = await this.attempt(() => api.post(archived ? there : back));
    if (done && archived) toast(t('It is in the archive'), () => void api.post(back));
  }
  private async drop(): Promise<void> {
    const sure = await confirm({
      title: t('Delete “{title}”?', { title: this.about?.title ?? '' }),
      text: t('All its messages go, and a turn that runs is ended. A backup still has them.'),
      verb: t('Delete'),
      danger: true,
    });
    if (sure && (await this.attempt(() => api.delete(this.at())))) navigate(HOME);
  }
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      this.emit('chat-problem', { message: '' });
      return true;
    } catch (e) {
      this.emit('chat-problem', { message: messageOf(e) });
      return false;
    }
  }
}
