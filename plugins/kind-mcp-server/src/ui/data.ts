import { Source, api, resourcePath, type Json, type Schema } from '@coffer/ui';

export const KIND = 'mcp_server';
export const HOME = '/mcp-servers';

export interface Tool {
  prefixed_name: string;
  original_name: string;
  description: string | null;
  input_schema: Schema;
  enabled: boolean;
}
export interface ServerResource {
  prefixed_uri: string;
  original_uri: string;
  name: string | null;
  description: string | null;
  mime_type: string | null;
  template: boolean;
  enabled: boolean;
}
export interface Prompt {
  prefixed_name: string;
  original_name: string;
  description: string | null;
  arguments: { name: string; description: string | null; required: boolean }[];
  enabled: boolean;
}
export interface Capabilities {
  tools: Tool[];
  resources: ServerResource[];
  prompts: Prompt[];
  fetched_at: string;
  from_cache: boolean;
  findings?: Json[];
}
export type CapabilityType = 'tool' | 'resource' | 'prompt';

export const serverPath = (name: string): string => resourcePath(KIND, name);
export const serverHref = (name: string): string => `${HOME}/${encodeURIComponent(name)}`;

const known = new Map<string, Source<Capabilities>>();

/** One source for each server, so that the tabs of a page share it. */
export function capabilities(server: string): Source<Capabilities> {
  let source = known.get(server);
  if (source === undefined) {
    source = new Source(() => api.get<Capabilities>(`${serverPath(server)}/capabilities`), ['capability', 'resource']);
    known.set(server, source);
  }
  return source;
}

export function setCapability(server: string, type: CapabilityType, key: string, on: boolean): Promise<void> {
  return api.post(`${serverPath(server)}/capabilities/${type}/${on ? 'enable' : 'disable'}`, { capability_key: key });
}
