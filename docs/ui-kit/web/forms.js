/** What a person fills in. */
import { html } from 'lit';

const SCHEMA = {
  type: 'object',
  required: ['name', 'place'],
  properties: {
    name: { type: 'string', title: 'Name', description: 'As agents see it.', minLength: 1, maxLength: 20 },
    size: { type: 'string', title: 'Size', enum: ['small', 'medium', 'large'], default: 'medium' },
    timeout_s: { type: 'integer', title: 'Patience, in seconds', minimum: 1, maximum: 600, default: 30 },
    open: { type: 'boolean', title: 'Open to all', default: false },
    note: { type: ['string', 'null'], title: 'Note', contentMediaType: 'text/plain' },
    tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
    env: { type: 'object', title: 'Environment', additionalProperties: { type: 'string' } },
    token: { type: 'string', title: 'Token', 'x-coffer': { widget: 'credential-ref' } },
    place: {
      title: 'Where',
      oneOf: [
        {
          type: 'object',
          title: 'A file',
          required: ['type', 'path'],
          properties: { type: { const: 'file' }, path: { type: 'string', title: 'Path' } },
        },
        {
          type: 'object',
          title: 'An address',
          required: ['type', 'url'],
          properties: { type: { const: 'url' }, url: { type: 'string', format: 'uri', title: 'URL' } },
        },
      ],
    },
    extra: { title: 'Anything else' },
  },
};

export const FORMS = [
  {
    element: 'cf-form',
    samples: [
      {
        title: 'A form made from a JSON Schema',
        draw: ({ kit }) => html`
          <cf-form
            .schema=${SCHEMA}
            .value=${{ name: 'notes', place: { type: 'file', path: '/notes.md' }, tags: ['daily'], env: { LANG: 'C' } }}
            @cf-submit=${() => kit.toast('What was typed holds')}
          >
            <button slot="footer" class="btn pri" type="button" @click=${(e) => e.target.parentElement.submit()}>
              Save
            </button>
          </cf-form>
        `,
      },
      {
        title: 'With a fault that the server found',
        draw: () => html`
          <cf-form
            .schema=${{ type: 'object', properties: { name: SCHEMA.properties.name } }}
            .value=${{ name: 'taken' }}
            .problems=${[{ pointer: '/name', message: 'There is one of this name already.' }]}
          ></cf-form>
        `,
      },
      {
        title: 'As JSON',
        draw: () => html`<cf-form json .schema=${SCHEMA} .value=${{ name: 'notes' }}></cf-form>`,
      },
    ],
  },
  {
    element: 'cf-credential-ref',
    samples: [
      {
        title: 'Names a credential; a new one is made in place',
        draw: ({ kit }) => html`
          <cf-credential-ref
            label="Token"
            value="github/token"
            @cf-change=${(e) => kit.toast(e.detail.ref)}
          ></cf-credential-ref>
        `,
      },
    ],
  },
];
