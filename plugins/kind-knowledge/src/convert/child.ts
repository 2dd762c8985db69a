/** The program that converts one document and ends. See apart.ts. */
import { convert } from './convert.js';
import { Rejected } from './types.js';

/** What it is given. */
export interface Task {
  bytes: Uint8Array;
  filename: string;
}
/** What it says in the end. */
export type Said = { markdown: string; title?: string | undefined } | { reason: Rejected['reason']; message: string };

process.once('message', (task: Task) => {
  convert(task.bytes, task.filename)
    .catch((e: unknown): Said => {
      if (e instanceof Rejected) return { reason: e.reason, message: e.message };
      throw e;
    })
    .then(
      (said: Said) => process.send?.(said, () => process.exit(0)),
      () => process.exit(1),
    );
});
