/** How each shape of a schema is drawn in a form. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { t, translated } from './core/i18n.js';
import type { Schema } from './core/types.js';
import type { CfForm } from './form.js';
import { renderList, renderMap } from './form-lists.js';
import { child } from './pointer.js';
import { resolve, seed, shapeOf, type Shape } from './schema.js';

export interface Place {
  /** The key that a field without a title is called by. */
  name?: string;
  required?: boolean;
  root?: boolean;
  /** The label stands elsewhere and is only read out. */
  bare?: boolean;
}

/** Levels of a value that have fields of their own. */
const DEEP = 6;

export function renderNode(form: CfForm, schema: Schema, pointer: string, place: Place): unknown {
  // A schema may hold itself: from some depth on a value is written as JSON.
  const shape: Shape = pointer.split('/').length > DEEP ? { is: 'json' } : shapeOf(schema);
  switch (shape.is) {
    case 'const':
      return nothing;
    case 'object':
      return group(form, schema, pointer, place, properties(form, schema, shape, pointer));
    case 'branches':
      return group(form, schema, pointer, place, branches(form, shape, pointer));
    case 'map':
      return group(
        form,
        schema,
        pointer,
        place,
        renderMap(renderNode, form, shape.of, pointer, titleOf(schema, place)),
      );
    case 'list':
      return group(
        form,
        schema,
        pointer,
        place,
        renderList(renderNode, form, schema, shape.of, pointer, titleOf(schema, place)),
      );
    default:
      return field(form, schema, shape, pointer, place);
  }
}

export function titleOf(schema: Schema, place: Place): string {
  return schema.title === undefined ? (place.name ?? t('Value')) : translated(schema.title);
}

function properties(form: CfForm, schema: Schema, shape: Extract<Shape, { is: 'object' }>, pointer: string): unknown {
  return shape.properties.map(([key, inner]) =>
    renderNode(form, resolve(inner, form.schema), child(pointer, key), {
      name: key,
      required: schema.required?.includes(key) === true,
    }),
  );
}

function branches(form: CfForm, shape: Extract<Shape, { is: 'branches' }>, pointer: string): unknown {
  const tag = (b: Schema): string => String(b.properties?.[shape.key]?.const);
  const now = String(form.at(child(pointer, shape.key)) ?? tag(shape.branches[0] ?? {}));
  const chosen = shape.branches.find((b) => tag(b) === now) ?? {};
  return html`<cf-segmented
      label=${t('Kind')}
      value=${now}
      .items=${shape.branches.map((b) => ({ id: tag(b), label: b.title === undefined ? tag(b) : translated(b.title) }))}
      @cf-change=${(e: CustomEvent<{ id: string }>) => {
        e.stopPropagation();
        const next = shape.branches.find((b) => tag(b) === e.detail.id);
        if (next === undefined || e.detail.id === now) return;
        form.kept.set(`${pointer}#${now}`, form.at(pointer));
        form.set(pointer, form.kept.get(`${pointer}#${e.detail.id}`) ?? seed(next, form.schema));
      }}
    ></cf-segmented>
    ${renderNode(form, chosen, pointer, { root: true })}`;
}

function group(form: CfForm, schema: Schema, pointer: string, place: Place, content: unknown): unknown {
  if (place.root === true) return content;
  const error = form.errorAt(pointer);
  return html`<fieldset class="group">
    <legend class="vh">${titleOf(schema, place)}</legend>
    <div class="lab" aria-hidden="true">${titleOf(schema, place)} ${optional(place)}</div>
    <div class="fields">
      ${schema.description === undefined ? nothing : html`<p class="help sm dim">${translated(schema.description)}</p>`}
      ${content} ${message(error, pointer)}
    </div>
  </fieldset>`;
}

function optional(place: Place): unknown {
  return place.required === true ? nothing : html`<span class="opt dim">${t('optional')}</span>`;
}

function message(error: string, pointer: string): unknown {
  if (error === '') return nothing;
  return html`<div class="errmsg" id=${`e${pointer}`}><cf-icon name="warn"></cf-icon><span>${error}</span></div>`;
}

function field(form: CfForm, schema: Schema, shape: Shape, pointer: string, place: Place): unknown {
  const error = form.errorAt(pointer);
  const title = titleOf(schema, place);
  if (place.bare === true) return control(form, schema, shape, pointer, title, error);
  if (shape.is === 'flag') {
    const on = form.at(pointer) ?? schema.default ?? false;
    return html`<div class="f">
      <div class="swf">
        <cf-switch
          label=${title}
          .checked=${on === true}
          @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) => {
            e.stopPropagation();
            form.set(pointer, e.detail.checked);
          }}
        ></cf-switch>
        <span>${title}</span>
      </div>
      ${schema.description === undefined ? nothing : html`<div class="help">${translated(schema.description)}</div>`}
      ${message(error, pointer)}
    </div>`;
  }
  const range = [
    schema.minimum === undefined ? '' : t('from {n}', { n: schema.minimum }),
    schema.maximum === undefined ? '' : t('to {n}', { n: schema.maximum }),
  ].filter(Boolean);
  return html`<div class="f">
    <label for=${`i${pointer}`}
      >${title} ${optional(place)}
      ${range.length === 0 ? nothing : html`<span class="opt">${range.join(' ')}</span>`}</label
    >
    ${control(form, schema, shape, pointer, title, error)}
    ${schema.description === undefined ? nothing : html`<div class="help" id=${`h${pointer}`}>${translated(schema.description)}</div>`}
    ${message(error, pointer)}
  </div>`;
}

function control(form: CfForm, schema: Schema, shape: Shape, pointer: string, title: string, error: string): unknown {
  const value = form.at(pointer);
  const invalid = error === '' ? nothing : 'true';
  const described = error === '' ? nothing : `e${pointer}`;
  const leave = (): void => void form.leave(pointer);
  if (shape.is === 'credential') {
    return html`<cf-credential-ref
      label=${title}
      value=${typeof value === 'string' ? value : ''}
      @cf-change=${(e: CustomEvent<{ ref: string }>) => {
        e.stopPropagation();
        form.set(pointer, e.detail.ref);
      }}
    ></cf-credential-ref>`;
  }
  if (shape.is === 'choice') {
    return html`<select
      class="sel"
      id=${`i${pointer}`}
      aria-label=${title}
      aria-invalid=${invalid}
      @change=${(e: Event) => {
        const text = (e.target as HTMLSelectElement).value;
        form.set(
          pointer,
          shape.options.find((o) => String(o) === text),
        );
        leave();
      }}
    >
      <option value="" ?selected=${value === undefined}>
        ${schema.default === undefined ? t('not set') : t('{value} by default', { value: String(schema.default) })}
      </option>
      ${shape.options.map((o) => html`<option value=${o} ?selected=${o === value}>${o}</option>`)}
    </select>`;
  }
  const placeholder = schema.default == null ? '' : t('{value} by default', { value: String(schema.default) });
  if (shape.is === 'json' || (shape.is === 'text' && shape.long)) {
    const raw = shape.is === 'json';
    const text =
      form.typing.get(pointer) ?? (value === undefined ? '' : raw ? JSON.stringify(value, null, 2) : String(value));
    return html`<textarea
      class="ta ${raw ? 'mono' : ''}"
      id=${`i${pointer}`}
      aria-label=${title}
      aria-invalid=${invalid}
      rows="4"
      placeholder=${raw ? 'JSON' : placeholder}
      .value=${live(text)}
      @blur=${leave}
      @input=${(e: InputEvent) => {
        const typed = (e.target as HTMLTextAreaElement).value;
        if (!raw) return form.set(pointer, typed === '' ? undefined : typed);
        form.typing.set(pointer, typed);
        try {
          form.set(pointer, typed.trim() === '' ? undefined : JSON.parse(typed));
        } catch {
          // Not JSON yet: the text is kept, the value waits.
        }
      }}
    ></textarea>`;
  }
  const number = shape.is === 'number';
  return html`<input
    class="in"
    id=${`i${pointer}`}
    aria-label=${title}
    aria-invalid=${invalid}
    aria-describedby=${described}
    type=${number ? 'number' : typeOf(schema)}
    min=${schema.minimum ?? nothing}
    max=${schema.maximum ?? nothing}
    step=${number ? (shape.whole ? 1 : 'any') : nothing}
    placeholder=${placeholder}
    autocomplete="off"
    spellcheck="false"
    .value=${live(value === undefined || value === null ? '' : String(value))}
    @blur=${leave}
    @input=${(e: InputEvent) => {
      const text = (e.target as HTMLInputElement).value;
      if (text === '') form.set(pointer, undefined);
      else form.set(pointer, number ? Number(text) : text);
    }}
  />`;
}

function typeOf(schema: Schema): string {
  return { date: 'date', 'date-time': 'text', email: 'email', uri: 'url' }[schema.format ?? ''] ?? 'text';
}
