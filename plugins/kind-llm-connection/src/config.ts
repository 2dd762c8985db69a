/** What a connection is: an address, how it speaks, and which credential opens it. Which model is used, whoever uses it says. */
import { CofferError, type Obj, type Resource } from '@coffer/kernel';

export const KIND = 'llm_connection';

/** How an endpoint speaks. `unknown`: asked in both of the common ways. */
export const PROTOCOLS = ['anthropic', 'openai', 'ollama', 'unknown'] as const;
export type Protocol = (typeof PROTOCOLS)[number];
/** Which of OpenAI's two APIs is spoken. */
export const WIRES = ['responses', 'chat'] as const;
export type Wire = (typeof WIRES)[number];

export interface ConnectionConfig {
  protocol: Protocol;
  base_url: string;
  /** Null for ollama only. */
  credential_ref: string | null;
  /** Types of agents that may run on it; null: those that speak its protocol. */
  compatible_agents: string[] | null;
  wire_api: Wire;
}

/** The schema has filled in what was left out. */
export function configOf({ config }: Pick<Resource, 'config'>): ConnectionConfig {
  return config as Obj & ConnectionConfig;
}

/**
 * An address as it is kept: without a slash at its end. Throws CONFIG_INVALID for what is no http address, and for one that carries a
 * secret, a query or a fragment, since addresses are shown and written into agents' files.
 */
export function normalUrl(text: string): string {
  const refuse = (why: string): never => {
    throw new CofferError('CONFIG_INVALID', `The base URL ${why}.`, { path: '/base_url' });
  };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse('is no address. It looks like https://api.example.com/v1');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') refuse('must begin with http:// or https://');
  if (url.username !== '' || url.password !== '')
    refuse('must hold no user or password: keys belong into a credential');
  if (url.search !== '' || url.hash !== '') refuse('must have neither ? nor # in it: keys belong into a credential');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
