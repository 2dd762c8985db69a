import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, kitStyles } from './core/element.js';
import { t } from './core/i18n.js';
import type { Json } from './core/types.js';

/** Only these reach an `<img>` or `<audio>`; anything else is shown as data. */
const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const AUDIO = /^audio\/[\w.+-]+$/;

/**
 * The result of an MCP request, each part by its kind: the blocks of a tool, the contents of a resource, the messages of a prompt.
 * Texts, images, audio, links and embedded resources are drawn; what it does not know is shown as JSON.
 */
@customElement('cf-result')
export class CfResult extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .imgres img {
        display: block;
        max-width: 100%;
      }
      audio {
        width: 100%;
      }
    `,
  ];
  /** The raw result of the protocol. */
  @property({ attribute: false }) result: Json = {};
  @state() private view = 'shown';

  override render(): unknown {
    const blocks = (Array.isArray(this.result['content']) ? this.result['content'] : []) as Json[];
    const contents = (Array.isArray(this.result['contents']) ? this.result['contents'] : []) as Json[];
    const messages = (Array.isArray(this.result['messages']) ? this.result['messages'] : []) as Json[];
    return html`<div class="col">
      <div class="row">
        <cf-status state=${this.result['isError'] === true ? 'bad' : 'ok'}
          >${this.result['isError'] === true ? t('The tool reports an error') : t('Answered')}</cf-status
        >
        <cf-segmented
          class="end"
          label=${t('How it is shown')}
          value=${this.view}
          .items=${[
            { id: 'shown', label: t('Shown') },
            { id: 'raw', label: t('Raw') },
          ]}
          @cf-change=${(e: CustomEvent<{ id: string }>) => {
            e.stopPropagation();
            this.view = e.detail.id;
          }}
        ></cf-segmented>
      </div>
      ${
        this.view === 'raw'
          ? html`<cf-json .value=${this.result}></cf-json>`
          : html`${blocks.map((b) => block(b))} ${contents.map((c) => embedded(c))} ${messages.map((m) => message(m))}
            ${
              this.result['structuredContent'] === undefined
                ? nothing
                : html`<cf-json label=${t('Structured')} .value=${this.result['structuredContent']}></cf-json>`
            }
            ${
              blocks.length + contents.length + messages.length === 0 && this.result['structuredContent'] === undefined
                ? html`<p class="dim">${t('The answer is empty.')}</p>`
                : nothing
            }`
      }
    </div>`;
  }
}

const text = (v: unknown): string => (typeof v === 'string' ? v : '');

function block(b: Json): unknown {
  switch (b['type']) {
    case 'text':
      return prose(text(b['text']));
    case 'image':
      return media(text(b['mimeType']), text(b['data'])) ?? html`<cf-json .value=${b}></cf-json>`;
    case 'audio':
      return media(text(b['mimeType']), text(b['data'])) ?? html`<cf-json .value=${b}></cf-json>`;
    case 'resource':
      return embedded((b['resource'] ?? {}) as Json);
    case 'resource_link':
      return html`<div class="note">
        <cf-icon name="box"></cf-icon>
        <div>
          <b>${text(b['title']) || text(b['name'])}</b>
          <p class="mono sm">${text(b['uri'])}</p>
          <p class="sm mut">${text(b['description'])}</p>
        </div>
      </div>`;
    default:
      return html`<cf-json .value=${b}></cf-json>`;
  }
}

/** A message of a prompt: who is to have said it, and what. */
function message(m: Json): unknown {
  const role = text(m['role']);
  const said = { user: t('The person says'), assistant: t('The agent says') }[role] ?? role;
  return html`<section class="col gap-1" aria-label=${said}>
    <h3 class="sm">${said}</h3>
    ${block((m['content'] ?? {}) as Json)}
  </section>`;
}

/** Text that is JSON is shown as such, everything else as it is; never as markup. */
function prose(value: string): unknown {
  if (/^\s*[[{]/.test(value)) {
    try {
      return html`<cf-json .value=${JSON.parse(value)}></cf-json>`;
    } catch {
      // Only looks like JSON.
    }
  }
  return html`<cf-code wrap label=${t('Text')} .value=${value}></cf-code>`;
}

function media(type: string, data: string): unknown {
  // Base64 of another alphabet would be no picture but a way out of the address.
  if (!/^[A-Za-z0-9+/=\s]*$/.test(data)) return undefined;
  const src = `data:${type};base64,${data}`;
  if (IMAGE.test(type)) return html`<figure class="imgres"><img src=${src} alt=${t('Image of the result')} /></figure>`;
  if (AUDIO.test(type)) return html`<audio controls src=${src} aria-label=${t('Sound of the result')}></audio>`;
  return undefined;
}

function embedded(r: Json): unknown {
  const type = text(r['mimeType']);
  const words = typeof r['text'] === 'string' ? r['text'] : decoded(type, text(r['blob']));
  return html`<div class="col gap-1">
    <p class="mono sm dim">${text(r['uri'])}${type === '' ? nothing : ` · ${type}`}</p>
    ${words === undefined ? (media(type, text(r['blob'])) ?? html`<cf-json .value=${r}></cf-json>`) : prose(words)}
  </div>`;
}

/** Bytes that are said to be text, and are. */
function decoded(type: string, base64: string): string | undefined {
  if (!/^text\/|[/+](json|xml|yaml)\b/.test(type) || type.startsWith('image/')) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Neither Base64 nor UTF-8: shown as it came.
    return undefined;
  }
}
