/**
 * Markdown as elements. The parser only tells what is what; every piece goes into the page as text or as a known element, so nothing
 * an agent writes can become code: HTML in it is shown as it stands, and a link leads to the web or to mail only.
 */
import { css, html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { lexer, type Token, type Tokens } from 'marked';
import { CofferElement, kitStyles } from '@coffer/ui';

/** Blocks of a text that grows: those that are complete stay the same objects, so that only the last is parsed and drawn again. */
export class Blocks {
  #text = '';
  #tokens: Token[] = [];
  /** Where the last block begins. */
  #start = 0;

  of(text: string): readonly Token[] {
    if (text === this.#text) return this.#tokens;
    const grown = this.#text !== '' && text.startsWith(this.#text);
    const from = grown ? this.#start : 0;
    const kept = grown ? this.#tokens.slice(0, -1) : [];
    const fresh = lexer(text.slice(from));
    this.#tokens = [...kept, ...fresh];
    this.#text = text;
    this.#start = text.length - (fresh.at(-1)?.raw.length ?? 0);
    // Tabs and line ends are counted otherwise by the parser: then the next time starts from the beginning.
    if (fresh.reduce((n, token) => n + token.raw.length, from) !== text.length) this.#text = '';
    return this.#tokens;
  }
}

@customElement('chat-markdown')
export class ChatMarkdown extends CofferElement {
  static override styles = css`
    :host {
      display: grid;
      gap: 10px;
      grid-template-columns: minmax(0, 1fr);
    }
  `;
  @property() text = '';
  #blocks = new Blocks();

  override render(): unknown {
    return this.#blocks.of(this.text).map((token) => html`<chat-block .token=${token}></chat-block>`);
  }
}

/** One block of Markdown. */
@customElement('chat-block')
export class ChatBlock extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      :host {
        display: block;
        font: var(--t-14);
        overflow-wrap: anywhere;
      }
      :host([hidden]) {
        display: none;
      }
      p,
      li {
        max-width: 72ch;
      }
      ul,
      ol {
        display: grid;
        gap: 3px;
        padding-left: 22px;
      }
      ul {
        list-style: disc;
      }
      ol {
        list-style: decimal;
      }
      li {
        display: list-item;
      }
      h2,
      h3,
      h4 {
        font: 600 var(--t-14);
        margin-top: 4px;
      }
      h2 {
        font: 600 var(--t-16);
      }
      blockquote {
        border-left: 3px solid var(--line-strong);
        padding-left: 12px;
        color: var(--ink-2);
        margin: 0;
      }
      table {
        border-collapse: collapse;
        font: var(--t-13);
      }
      th,
      td {
        border: 1px solid var(--line);
        padding: 4px 8px;
        text-align: left;
      }
      .scroll {
        overflow-x: auto;
      }
      hr {
        border: 0;
        border-top: 1px solid var(--line);
      }
      del {
        color: var(--ink-3);
      }
    `,
  ];
  @property({ attribute: false }) token: Token | undefined;

  override render(): unknown {
    return this.token === undefined ? nothing : block(this.token);
  }
  protected override updated(): void {
    this.hidden = this.token?.type === 'space';
  }
}

/** `marked` types tokens it does not know as Generic; each case says which one it is. */
function block(token: Token): unknown {
  switch (token.type) {
    case 'space':
    case 'def':
      return nothing;
    case 'heading': {
      const { depth } = token as Tokens.Heading;
      const inside = inline(token.tokens);
      // The page has its own h1.
      return depth === 1 ? html`<h2>${inside}</h2>` : depth === 2 ? html`<h3>${inside}</h3>` : html`<h4>${inside}</h4>`;
    }
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code;
      return html`<cf-code label=${/^\S*/.exec(lang)?.[0] ?? ''} .value=${text}></cf-code>`;
    }
    case 'blockquote':
      return html`<blockquote>${(token.tokens ?? []).map(block)}</blockquote>`;
    case 'list': {
      const { items, ordered, start } = token as Tokens.List;
      const inside = items.map(
        (item) =>
          html`<li>
            ${item.task ? html`<input type="checkbox" disabled .checked=${item.checked === true} aria-label=${item.text} /> ` : nothing}
            ${item.tokens.filter((t) => t.type !== 'checkbox').map((t) => (t.type === 'text' ? textOf(t) : block(t)))}
          </li>`,
      );
      return ordered
        ? html`<ol start=${Number(start)}>
            ${inside}
          </ol>`
        : html`<ul>
            ${inside}
          </ul>`;
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return html`<div class="scroll" tabindex="0" role="group" aria-label=${header.map((h) => h.text).join(', ')}>
        <table>
          <thead>
            <tr>
              ${header.map((cell) => html`<th scope="col">${inline(cell.tokens)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) =>
                html`<tr>
                  ${row.map((cell) => html`<td>${inline(cell.tokens)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    }
    case 'hr':
      return html`<hr />`;
    case 'paragraph':
      return html`<p>${inline(token.tokens)}</p>`;
    case 'text':
      return html`<p>${textOf(token)}</p>`;
    default:
      return html`<p>${token.raw}</p>`;
  }
}

function textOf(token: Token): unknown {
  const { tokens, text } = token as Tokens.Text;
  return tokens === undefined ? unescaped(text) : inline(tokens);
}

function inline(tokens: readonly Token[] | undefined): unknown {
  return (tokens ?? []).map((token): unknown => {
    switch (token.type) {
      case 'strong':
        return html`<strong>${inline(token.tokens)}</strong>`;
      case 'em':
        return html`<em>${inline(token.tokens)}</em>`;
      case 'del':
        return html`<del>${inline(token.tokens)}</del>`;
      case 'codespan':
        return html`<code>${(token as Tokens.Codespan).text}</code>`;
      case 'br':
        return html`<br />`;
      case 'link':
      case 'image': {
        const { href, text, tokens: inner } = token as Tokens.Link;
        const words = token.type === 'image' || inner === undefined ? text || href : inline(inner);
        return SAFE.test(href)
          ? html`<a href=${href} target="_blank" rel="noopener noreferrer">${words}</a>`
          : html`${words}`;
      }
      case 'escape':
        return (token as Tokens.Escape).text;
      case 'text':
        return textOf(token);
      default:
        return token.raw;
    }
  });
}

const SAFE = /^(https?:|mailto:)/i;

/** The few entities that people write; a piece of text is no place for more. */
function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
