import path from 'node:path';
import { CofferError } from '../errors.js';
import type { Route } from '../http/route.js';
import { flag, integer, list, object, strict, text } from '../http/schemas.js';
import type { Audit } from '../journal/types.js';
import { backupVault } from './backup.js';
import type { Db } from './database.js';
import type { Paths } from './types.js';

export function vaultRoutes(paths: Paths, db: Db, audit: Audit, trees: () => string[], version: string): Route[] {
  return [
    {
      method: 'POST',
      path: '/vault/backup',
      summary: 'Write a backup into a new folder, while the daemon goes on',
      body: strict({ path: { type: 'string', minLength: 1, maxLength: 4096 }, include_master_key: flag }, [
        'include_master_key',
      ]),
      response: object({ path: text, size_bytes: integer, trees: list(text), includes_master_key: flag }),
      errors: ['BACKUP_INVALID', 'VAULT_UNWRITABLE'],
      handle: async ({ body, actor }) => {
        const dest = body['path'] as string;
        if (!path.isAbsolute(dest)) throw new CofferError('BAD_REQUEST', 'The path of a backup must be absolute.');
        const report = await backupVault(
          paths,
          dest,
          { trees: trees(), includeMasterKey: body['include_master_key'] === true, now: new Date(), version },
          db,
        );
        audit.write({
          event_type: 'backup_created',
          actor,
          details: { path: report.path, includes_master_key: report.includes_master_key },
        });
        return report;
      },
    },
  ];
}
