/** The fields of a connection, shared by the dialog that adds one and the page that changes it. */
import { html, nothing } from 'lit';
import { t } from '@coffer/ui';
import { PROTOCOLS, type Agent, type Protocol, type Wire } from './data.js';

export interface Fields {
  protocol: Protocol;
  base_url: string;
  wire_api: Wire;
  /** What was typed; it lives in the element alone, never in a draft. */
  key: string;
  /** A stored credential instead of a key. */
  credential_ref: string;
  /** Empty: those that speak its protocol. */
  compatible_agents: readonly string[];
}

export const NO_FIELDS: Fields = {
  protocol: 'openai',
  base_url: '',
  wire_api: 'responses',
  key: '',
  credential_ref: '',
  compatible_agents: [],
};

export interface Shown {
  fields: Fields;
  set(change: Partial<Fields>): void;
  /** It does not exist yet: a key is needed. */
  fresh: boolean;
  /** The protocol is chosen once, and only where no preset knows it. */
  asksProtocol: boolean;
  /** Where a preset says keys are made. */
  keysAt?: string | undefined;
  agents: readonly Agent[];
}

const typed = (e: Event): string => (e.target as HTMLInputElement).value;

export function fieldsOf({ fields, set, fresh, asksProtocol, keysAt, agents }: Shown): unknown {
  const { protocol } = fields;
  const types = new Map(agents.map((a) => [a.type, a.label]));
  for (const type of fields.compatible_agents) if (!types.has(type)) types.set(type, type);
  return html`<div class="col gap-4">
    ${
      asksProtocol
        ? html`<div class="f">
            <label for="protocol">${t('Protocol')}</label>
            <select class="sel" id="protocol" @change=${(e: Event) => set({ protocol: typed(e) as Protocol })}>
              ${PROTOCOLS.map((p) => html`<option value=${p} ?selected=${p === protocol}>${p}</option>`)}
            </select>
            <div class="help">${t('How the endpoint speaks. It stays as it is once the connection exists.')}</div>
          </div>`
        : nothing
    }
    <div class="f">
      <label for="url">${t('Base URL')}</label>
      <input
        class="in mono"
        id="url"
        type="url"
        spellcheck="false"
        autocomplete="off"
        .value=${fields.base_url}
        @input=${(e: Event) => set({ base_url: typed(e) })}
      />
      <div class="help">
        ${t('Where the API begins: for OpenAI’s protocol with /v1, for Anthropic’s and Ollama’s without.')}
      </div>
    </div>
    ${
      protocol === 'openai' || protocol === 'unknown'
        ? html`<div class="f">
            <label for="wire">${t('OpenAI API')}</label>
            <select class="sel" id="wire" @change=${(e: Event) => set({ wire_api: typed(e) as Wire })}>
              ${(['responses', 'chat'] as const).map((w) => html`<option value=${w} ?selected=${w === fields.wire_api}>${w}</option>`)}
            </select>
            <div class="help">${t('Which of OpenAI’s two APIs the endpoint offers.')}</div>
          </div>`
        : nothing
    }
    ${protocol === 'ollama' ? nothing : key(fields, set, fresh, keysAt)}
    ${types.size === 0 ? nothing : mayRun(fields, set, types)}
  </div>`;
}

function key(fields: Fields, set: Shown['set'], fresh: boolean, keysAt: string | undefined): unknown {
  return html`<div class="f">
      <label for="key">${t('Key')} ${fresh ? nothing : html`<span class="opt">${t('optional')}</span>`}</label>
      <input
        class="in mono"
        id="key"
        type="password"
        autocomplete="off"
        spellcheck="false"
        ?disabled=${fields.credential_ref !== ''}
        .value=${fields.key}
        @input=${(e: Event) => set({ key: typed(e) })}
      />
      <div class="help">
        ${fresh ? t('Kept encrypted. It is never shown again, and in no file of an agent.') : t('Another key takes the place of the one there.')}
        ${keysAt === undefined ? nothing : html`<a href=${keysAt} target="_blank" rel="noreferrer">${t('Make one')}</a>`}
      </div>
    </div>
    <div class="f">
      <label>${t('Or a stored credential')} <span class="opt">${t('optional')}</span></label>
      <cf-credential-ref
        label=${t('Or a stored credential')}
        .value=${fields.credential_ref}
        @cf-change=${(e: CustomEvent<{ ref: string }>) => set({ credential_ref: e.detail.ref })}
      ></cf-credential-ref>
    </div>`;
}

function mayRun(fields: Fields, set: Shown['set'], types: ReadonlyMap<string, string>): unknown {
  const chosen = fields.compatible_agents;
  const toggle = (type: string, on: boolean): void =>
    set({ compatible_agents: on ? [...chosen, type] : chosen.filter((c) => c !== type) });
  return html`<fieldset class="f">
    <legend>${t('Agents')} <span class="opt">${t('optional')}</span></legend>
    ${[...types].map(
      ([type, label]) =>
        html`<label class="row"
          ><input
            class="ck"
            type="checkbox"
            .checked=${chosen.includes(type)}
            @change=${(e: Event) => toggle(type, (e.target as HTMLInputElement).checked)}
          />${label}</label
        >`,
    )}
    <div class="help">${t('Types of agents that may run on it. Left out: those that speak its protocol.')}</div>
  </fieldset>`;
}

/** What a request says of the fields. Keys that were left empty are left out. */
export function bodyOf({
  base_url,
  wire_api,
  protocol,
  key,
  credential_ref,
  compatible_agents,
}: Fields): Record<string, unknown> {
  return {
    base_url: base_url.trim(),
    ...((protocol === 'openai' || protocol === 'unknown') && { wire_api }),
    ...(protocol === 'ollama'
      ? {}
      : credential_ref !== ''
        ? { credential_ref }
        : key !== ''
          ? { secret_value: key }
          : {}),
    compatible_agents: compatible_agents.length === 0 ? null : compatible_agents,
  };
}

/** The same for an endpoint that is only tried. */
export function endpointOf(fields: Fields): Record<string, unknown> {
  const { compatible_agents: _, ...rest } = bodyOf(fields);
  return { protocol: fields.protocol, ...rest };
}
