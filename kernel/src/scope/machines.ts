/** Which machine this is: an id minted once, a name a person may change. */
import { hostname } from 'node:os';
import { ulid } from 'ulid';
import { CofferError } from '../errors.js';
import type { Db } from '../vault/database.js';

export interface Machine {
  id: string;
  display_name: string;
  this_machine: boolean;
}
export interface Machines {
  readonly here: string;
  list(): Machine[];
  rename(id: string, name: string): Machine;
}

export function openMachines(db: Db): Machines {
  const list = (): Machine[] =>
    (
      db.prepare('SELECT * FROM machines ORDER BY this_machine DESC, display_name').all() as {
        id: string;
        display_name: string;
        this_machine: number;
      }[]
    ).map((m) => ({ ...m, this_machine: m.this_machine === 1 }));
  let here = list().find((m) => m.this_machine)?.id;
  if (here === undefined) {
    here = ulid();
    db.prepare('INSERT INTO machines (id, display_name, this_machine) VALUES (?, ?, 1)').run(
      here,
      hostname() || 'this machine',
    );
  }
  return {
    here,
    list,
    rename(id, name) {
      const { changes } = db.prepare('UPDATE machines SET display_name = ? WHERE id = ?').run(name, id);
      const found = list().find((m) => m.id === id);
      if (changes === 0 || found === undefined)
        throw new CofferError('MACHINE_NOT_FOUND', 'There is no such machine. See: coffer machines list');
      return found;
    },
  };
}
