/** REST of credentials. A value leaves the daemon only by the one route that says so, and that is audited. */
import { CofferError } from '../errors.js';
import type { Route } from '../http/route.js';
import { flag, list, object, strict, text } from '../http/schemas.js';
import { MAX_VALUE, REF_PATTERN, type CredentialStore } from './store.js';
import type { KeyHome } from './master-key.js';

const ref = { type: 'string', pattern: REF_PATTERN, maxLength: 200 };
const home = { enum: ['file', 'keychain'] };

export function credentialRoutes(store: CredentialStore, citedBy: (ref: string) => readonly string[]): Route[] {
  // A ref has slashes: it travels encoded as one segment.
  const named = (params: Readonly<Record<string, string>>): string => params['ref'] as string;
  return [
    {
      method: 'GET',
      path: '/credentials',
      summary: 'Names of the stored credentials; never their values',
      response: object({
        credentials: list(object({ ref: text, updated_at: text, locked: flag, cited_by: list(text) })),
      }),
      handle: () => ({ credentials: store.list().map((c) => ({ ...c, cited_by: citedBy(c.ref) })) }),
    },
    {
      method: 'POST',
      path: '/credentials',
      summary: 'Store a credential, encrypted',
      body: strict({ ref, value: { type: 'string', minLength: 1, maxLength: MAX_VALUE } }),
      errors: ['MASTER_KEY_WRONG', 'KEYCHAIN_UNAVAILABLE'],
      handle: ({ body, actor }) => store.set(body['ref'] as string, body['value'] as string, actor),
    },
    {
      method: 'GET',
      path: '/credentials/:ref',
      summary: 'Read a credential; audited',
      response: object({ value: text }),
      errors: ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_LOCKED'],
      handle: ({ params, actor }) => {
        if (!store.has(named(params)))
          throw new CofferError(
            'CREDENTIAL_NOT_FOUND',
            'There is no credential of that name. See: coffer credentials list',
          );
        return { value: store.read(named(params), actor) };
      },
    },
    {
      method: 'GET',
      path: '/credentials/:ref/exists',
      summary: 'Is there such a credential?',
      response: object({ present: flag }),
      handle: ({ params }) => ({ present: store.has(named(params)) }),
    },
    {
      method: 'DELETE',
      path: '/credentials/:ref',
      summary: 'Delete a credential that nothing cites',
      errors: ['CREDENTIAL_IN_USE'],
      handle: ({ params, actor }) => store.remove(named(params), actor),
    },
    {
      method: 'GET',
      path: '/settings/credentials',
      summary: 'Where the master key lives',
      response: object({ master_key_storage: home }),
      handle: () => ({ master_key_storage: store.home() }),
    },
    {
      method: 'PUT',
      path: '/settings/credentials',
      summary: 'Move the master key to a file or to the system keychain',
      body: strict({ master_key_storage: home }),
      response: object({ master_key_storage: home }),
      errors: ['KEYCHAIN_UNAVAILABLE'],
      handle: ({ body, actor }) => {
        store.relocate(body['master_key_storage'] as KeyHome, actor);
        return { master_key_storage: store.home() };
      },
    },
  ];
}
