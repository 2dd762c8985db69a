/** Lists and name-value rows of a form. */
import { html, nothing } from 'lit';
import { t } from './core/i18n.js';
import type { Schema } from './core/types.js';
import type { CfForm } from './form.js';
import { child } from './pointer.js';
import { resolve, seed, shapeOf } from './schema.js';

/** Draws one node; given by whoever draws the nodes around. */
type RenderNode = (
  form: CfForm,
  schema: Schema,
  pointer: string,
  place: { name?: string; required?: boolean; root?: boolean; bare?: boolean },
) => unknown;

const remove = (label: string, act: () => void): unknown =>
  html`<button class="btn ghost icon sm" type="button" aria-label=${label} title=${label} @click=${act}>
    <cf-icon name="close"></cf-icon>
  </button>`;

const add = (label: string, act: () => void, off = false): unknown =>
  html`<div>
    <button class="btn sm" type="button" ?disabled=${off} @click=${act}>
      <cf-icon name="plus"></cf-icon>${t('Add')}<span class="vh">${label}</span>
    </button>
  </div>`;

export function renderList(
  renderNode: RenderNode,
  form: CfForm,
  schema: Schema,
  of: Schema,
  pointer: string,
  title: string,
): unknown {
  const value = form.at(pointer);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const inner = resolve(of, form.schema);
  const shape = shapeOf(inner);
  const big = shape.is === 'object' || shape.is === 'branches';
  const blank = (): unknown =>
    seed(inner, form.schema) ?? ({ number: 0, flag: false } as Record<string, unknown>)[shape.is] ?? '';
  const paste = (e: ClipboardEvent, i: number): void => {
    const lines = e.clipboardData?.getData('text').split(/\r?\n/).filter(Boolean) ?? [];
    if (shape.is !== 'text' || lines.length < 2) return;
    e.preventDefault();
    form.set(pointer, [...items.slice(0, i), ...lines, ...items.slice(i + 1)]);
  };
  return html`<div class="arr">
    ${items.map((_, i) => {
      const at = child(pointer, i);
      const drop = remove(t('Remove {name} {n}', { name: title, n: i + 1 }), () =>
        form.set(
          pointer,
          items.filter((__, j) => j !== i),
        ),
      );
      return big
        ? html`<div class="group">
            <div class="lab"><span>${i + 1}</span><span class="end">${drop}</span></div>
            <div class="fields">${renderNode(form, inner, at, { root: true })}</div>
          </div>`
        : html`<div class="it" @paste=${(e: ClipboardEvent) => paste(e, i)}>
            <span class="dim sm tnum">${i + 1}</span>
            ${renderNode(form, inner, at, { name: `${title} ${i + 1}`, required: true, bare: true })} ${drop}
          </div>`;
    })}
    ${add(title, () => form.set(pointer, [...items, blank()]), items.length >= (schema.maxItems ?? Infinity))}
  </div>`;
}

export function renderMap(renderNode: RenderNode, form: CfForm, of: Schema, pointer: string, title: string): unknown {
  const value = form.at(pointer);
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  const inner = resolve(of, form.schema);
  const rename = (from: string, to: string): void => {
    if (to === from || entries.some(([key]) => key === to)) return;
    form.set(pointer, Object.fromEntries(entries.map(([key, v]) => [key === from ? to : key, v])));
  };
  return html`<div class="arr">
    ${entries.map(
      ([key]) =>
        html`<div class="it kv">
          <span></span>
          <input
            class="in mono"
            aria-label=${t('Name in {name}', { name: title })}
            .value=${key}
            spellcheck="false"
            @change=${(e: Event) => rename(key, (e.target as HTMLInputElement).value)}
          />
          ${renderNode(form, inner, child(pointer, key), { name: `${title} ${key}`, required: true, bare: true })}
          ${remove(t('Remove {name}', { name: key }), () =>
            form.set(pointer, Object.fromEntries(entries.filter(([k]) => k !== key))),
          )}
        </div>`,
    )}
    ${entries.length === 0 ? html`<p class="sm dim">${t('none')}</p>` : nothing}
    ${add(title, () => {
      let n = 1;
      while (entries.some(([key]) => key === `NAME_${n}`)) n++;
      form.set(pointer, Object.fromEntries([...entries, [`NAME_${n}`, '']]));
    })}
  </div>`;
}
