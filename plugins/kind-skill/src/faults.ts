import { CofferError } from '@coffer/kernel';

const UNWRITABLE: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EROFS: 'it is read-only',
  EACCES: 'the system refuses',
  EPERM: 'the system refuses',
  EMFILE: 'too many files are open',
};

/** What a person can mend is said in their words; anything else stays what it is. */
export function mendable(e: unknown): unknown {
  const { code, path: where } = e as NodeJS.ErrnoException;
  const why = code === undefined ? undefined : UNWRITABLE[code];
  if (e instanceof CofferError || why === undefined) return e;
  return new CofferError(
    'VAULT_UNWRITABLE',
    `The vault cannot be written: ${why}. Nothing was changed; mend that and try again.`,
    where === undefined ? {} : { path: where },
    { cause: e },
  );
}
