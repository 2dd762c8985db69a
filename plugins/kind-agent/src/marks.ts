/** What Coffer's own settings changed in files of agents, so that they can be taken out as if they had never been there. */
import type { Kernel, Migration } from '@coffer/kernel';
import type { Change } from './edit/document.js';
import type { Mark } from './edit/splice.js';

export const migrations: readonly Migration[] = [
  {
    id: 1,
    sql: `CREATE TABLE agent_marks (
      file TEXT NOT NULL, what TEXT NOT NULL, marks TEXT NOT NULL, created INTEGER NOT NULL, PRIMARY KEY (file, what)
    )`,
  },
];

/** One setting that Coffer made: what it put in, and what stood there before, where that may be kept. */
export interface Made extends Mark {
  path: Change['path'];
  /** How many steps of the path were there already; what was made for it goes with it when nothing else has moved in. */
  there: number;
  earlier?: unknown;
}
export interface Marked {
  /** In the order in which they were made. */
  marks: Made[];
  /** The file was not there before. */
  created: boolean;
}

export interface Marks {
  get(file: string, what: string): Marked | undefined;
  set(file: string, what: string, marked: Marked): void;
  drop(file: string, what: string): void;
}

export function openMarks(db: ReturnType<Kernel['database']>): Marks {
  const one = db.prepare('SELECT marks, created FROM agent_marks WHERE file = ? AND what = ?');
  const put = db.prepare(
    'INSERT INTO agent_marks (file, what, marks, created) VALUES (?, ?, ?, ?) ON CONFLICT (file, what) DO UPDATE SET marks = excluded.marks, created = excluded.created',
  );
  const remove = db.prepare('DELETE FROM agent_marks WHERE file = ? AND what = ?');
  const inherit = db.prepare(
    'UPDATE agent_marks SET created = 1 WHERE rowid = (SELECT rowid FROM agent_marks WHERE file = ? ORDER BY what LIMIT 1)',
  );
  const get: Marks['get'] = (file, what) => {
    const row = one.get(file, what) as { marks: string; created: number } | undefined;
    return row && { marks: JSON.parse(row.marks) as Marked['marks'], created: row.created === 1 };
  };
  return {
    get,
    set: (file, what, { marks, created }) => void put.run(file, what, JSON.stringify(marks), created ? 1 : 0),
    drop(file, what) {
      const gone = get(file, what);
      remove.run(file, what);
      // Whoever is left in the file is the one it is there for.
      if (gone?.created === true) inherit.run(file);
    },
  };
}
