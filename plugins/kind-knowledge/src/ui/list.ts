import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  api,
  messageOf,
  navigate,
  queryValue,
  setQuery,
  stores,
  t,
  type Column,
  type Resource,
  type RouteParams,
} from '@coffer/ui';
import { KIND, baseHref } from './data.js';

/** All knowledge bases, and a new one. */
@customElement('knowledge-list')
export class KnowledgeList extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  @state() private problem = '';
  #resources = new Use(this, stores.resources);

  private columns(): Column<Resource>[] {
    const count = (r: Resource): number => (typeof r.status['documents'] === 'number' ? r.status['documents'] : 0);
    return [
      {
        key: 'name',
        label: t('Name'),
        sort: (r) => r.name,
        cell: (r) => html`<a class="nm" href=${baseHref(r.name)}>${r.name}</a>`,
      },
      { key: 'about', label: t('What is in it'), priority: 2, cell: (r) => r.description ?? '' },
      {
        key: 'documents',
        label: t('Documents'),
        numeric: true,
        width: 's',
        sort: count,
        cell: (r) => String(count(r)),
      },
    ];
  }

  override render(): unknown {
    const bases = (this.#resources.value ?? []).filter((r) => r.kind === KIND);
    return html`<cf-page heading=${t('Knowledge')} text=${t('Files in, passages out: what your agents can look up.')}>
      <button slot="actions" class="btn pri" type="button" @click=${() => this.turn('base')}>
        ${t('New knowledge base')}
      </button>
      ${queryValue('add') === 'base' ? this.form() : nothing}
      ${
        this.#resources.value !== undefined && bases.length === 0
          ? html`<section class="panel">
              <cf-empty
                icon="info"
                heading=${t('There are no knowledge bases')}
                text=${t('Make one for each subject, and put files in: PDFs, Office documents, web pages, notes, code.')}
              ></cf-empty>
            </section>`
          : html`<cf-table
              label=${t('Knowledge')}
              find=${t('Find a knowledge base')}
              .columns=${this.columns()}
              .rows=${bases}
              .keyOf=${(r: Resource) => r.ref}
              opens
              @cf-open=${(e: CustomEvent<{ row: Resource }>) => navigate(baseHref(e.detail.row.name))}
            ></cf-table>`
      }
    </cf-page>`;
  }

  private turn(add: string): void {
    setQuery({ add });
    this.requestUpdate();
  }

  private form(): unknown {
    return html`<form class="panel" @submit=${(e: Event) => void this.make(e)}>
      <div class="ph"><h2>${t('New knowledge base')}</h2></div>
      <div class="pb col gap-4">
        <label class="col">${t('Name')} <input class="in" name="name" required maxlength="64" autofocus /></label>
        <label class="col"
          >${t('What is in it')}
          <input class="in" name="description" placeholder=${t('Agents choose by this')} />
        </label>
        ${this.problem === '' ? nothing : html`<div class="note bad" role="alert">${this.problem}</div>`}
        <div class="row">
          <span class="grow"></span>
          <button class="btn" type="button" @click=${() => this.turn('')}>${t('Cancel')}</button>
          <button class="btn pri" type="submit">${t('Make it')}</button>
        </div>
      </div>
    </form>`;
  }

  private async make(e: Event): Promise<void> {
    e.preventDefault();
    const form = new FormData(e.target as HTMLFormElement);
    const [name, description] = [String(form.get('name')).trim(), String(form.get('description')).trim()];
    this.problem = '';
    try {
      await api.post('/resources', { kind: KIND, name, config: {}, ...(description !== '' && { description }) });
      navigate(baseHref(name));
    } catch (problem) {
      this.problem = messageOf(problem);
    }
  }
}
