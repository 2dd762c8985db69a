import type { Db } from './database.js';

/** Small single values of the kernel, as JSON. */
export interface Settings {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
}

export function openSettings(db: Db): Settings {
  const read = db.prepare('SELECT value_json FROM settings WHERE key = ?');
  const write = db.prepare(
    'INSERT INTO settings (key, value_json) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value_json = excluded.value_json',
  );
  return {
    get<T>(key: string): T | undefined {
      const row = read.get(key) as { value_json: string } | undefined;
      return row === undefined ? undefined : (JSON.parse(row.value_json) as T);
    },
    set: (key, value) => void write.run(key, JSON.stringify(value)),
  };
}
