/** What adding servers does: secrets first, and all taken back when something fails. */
import { api, ApiError, seg, type Json } from '@coffer/ui';
import { KIND, serverPath } from './data.js';

export interface Secret {
  ref: string;
  /** Variable or header that it fills. */
  key: string;
  where: 'env' | 'headers';
  /** The configuration names a variable instead of the value. */
  variable?: string;
  /** From what was pasted; '' when it has to be typed. It went nowhere yet. */
  value: string;
}
export interface Candidate {
  name: string;
  config: Json;
  secrets: Secret[];
  notes: string[];
  disabled: boolean;
}
export interface Preview {
  servers: (Omit<Candidate, 'secrets'> & { secrets: Omit<Secret, 'value'>[] })[];
  problems: string[];
}

/** Throws what the server said; then nothing of this candidate is left behind. */
export async function register(candidate: Candidate): Promise<void> {
  const made: string[] = [];
  let created = false;
  try {
    for (const secret of candidate.secrets) {
      const { present } = await api.get<{ present: boolean }>(`/credentials/${seg(secret.ref)}/exists`);
      if (present) throw new ApiError('RESOURCE_ALREADY_EXISTS', secret.ref, 409);
      await api.post('/credentials', { ref: secret.ref, value: secret.value });
      made.push(secret.ref);
    }
    await api.post('/resources', { kind: KIND, name: candidate.name, config: candidate.config });
    created = true;
    if (candidate.disabled) await api.post(`${serverPath(candidate.name)}/disable`);
  } catch (e) {
    if (created) await api.delete(serverPath(candidate.name)).catch(() => undefined);
    for (const ref of made) await api.delete(`/credentials/${seg(ref)}`).catch(() => undefined);
    throw e;
  }
}

type Transport = Json & {
  env?: Record<string, string>;
  headers?: Record<string, string>;
  credential_refs?: Record<string, string>;
};

export const transportOf = (c: Candidate): Transport => (c.config['transport'] ?? {}) as Transport;

/** Plain variables of a candidate, which may be made secret. */
export function plainOf(c: Candidate): [string, string][] {
  const transport = transportOf(c);
  return Object.entries(transport.env ?? transport.headers ?? {});
}

/** The candidate with one plain variable turned into a credential. */
export function hide(c: Candidate, name: string): Candidate {
  const transport = transportOf(c);
  const field = transport.env === undefined ? 'headers' : 'env';
  const { [name]: value = '', ...rest } = transport[field] ?? {};
  const ref = `${c.name}/${name}`.replaceAll(/[^A-Za-z0-9_./-]/g, '_');
  return {
    ...c,
    config: {
      ...c.config,
      transport: { ...transport, [field]: rest, credential_refs: { ...transport.credential_refs, [name]: ref } },
    },
    secrets: [...c.secrets, { ref, key: name, where: field, value }],
  };
}

/** Under another name: its secrets keep theirs. */
export const renamed = (c: Candidate, name: string): Candidate => ({ ...c, name });
