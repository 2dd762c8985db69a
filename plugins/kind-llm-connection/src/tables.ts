/** What is known of connections beside their records: who runs on them, and how they answered. */
import type { Kernel, Migration } from '@coffer/kernel';

export const migrations: readonly Migration[] = [
  {
    id: 1,
    sql: `
      -- Agents live on one machine; a vault restored on another must not claim that its agents were switched.
      CREATE TABLE llm_choices (
        machine TEXT NOT NULL,
        agent TEXT NOT NULL,
        connection TEXT NOT NULL,
        model TEXT,
        fast_model TEXT,
        since TEXT NOT NULL,
        PRIMARY KEY (machine, agent)
      );
      CREATE TABLE llm_engine (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        connection TEXT NOT NULL,
        model TEXT NOT NULL
      );
      CREATE TABLE llm_tests (
        connection TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        ok INTEGER NOT NULL,
        message TEXT NOT NULL,
        duration_ms INTEGER NOT NULL
      );
    `,
  },
];

/** What one agent was switched to. */
export interface Choice {
  agent: string;
  connection: string;
  model: string | null;
  fast_model: string | null;
  /** ISO 8601, UTC. */
  since: string;
}
export interface EngineChoice {
  connection: string;
  model: string;
}
export interface LastTest {
  /** ISO 8601, UTC. */
  at: string;
  ok: boolean;
  message: string;
  duration_ms: number;
}

export interface Tables {
  /** Of this machine. */
  choices(): Choice[];
  choice(agent: string): Choice | undefined;
  /** Null: the agent's own login. */
  choose(agent: string, choice: Omit<Choice, 'agent'> | null): void;
  /** A connection is gone: nothing is left of who ran on it, and how it answered. */
  forget(connection: string): void;
  engine(): EngineChoice | undefined;
  setEngine(choice: EngineChoice | null): void;
  lastTest(connection: string): LastTest | undefined;
  setTest(connection: string, test: LastTest | null): void;
}

export function createTables(db: ReturnType<Kernel['database']>, machine: string): Tables {
  const columns = 'agent, connection, model, fast_model, since';
  const all = db.prepare(`SELECT ${columns} FROM llm_choices WHERE machine = ? ORDER BY agent`);
  const one = db.prepare(`SELECT ${columns} FROM llm_choices WHERE machine = ? AND agent = ?`);
  const put = db.prepare(
    'INSERT OR REPLACE INTO llm_choices (machine, agent, connection, model, fast_model, since) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('DELETE FROM llm_choices WHERE machine = ? AND agent = ?');
  const dropAll = db.prepare('DELETE FROM llm_choices WHERE connection = ?');
  const engine = db.prepare('SELECT connection, model FROM llm_engine');
  const putEngine = db.prepare('INSERT OR REPLACE INTO llm_engine (id, connection, model) VALUES (1, ?, ?)');
  const dropEngine = db.prepare('DELETE FROM llm_engine');
  const test = db.prepare('SELECT at, ok, message, duration_ms FROM llm_tests WHERE connection = ?');
  const putTest = db.prepare(
    'INSERT OR REPLACE INTO llm_tests (connection, at, ok, message, duration_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const dropTest = db.prepare('DELETE FROM llm_tests WHERE connection = ?');
  return {
    choices: () => all.all(machine) as Choice[],
    choice: (agent) => one.get(machine, agent) as Choice | undefined,
    choose(agent, choice) {
      if (choice === null) drop.run(machine, agent);
      else put.run(machine, agent, choice.connection, choice.model, choice.fast_model, choice.since);
    },
    forget(connection) {
      dropAll.run(connection);
      dropTest.run(connection);
    },
    engine: () => engine.get() as EngineChoice | undefined,
    setEngine(choice) {
      if (choice === null) dropEngine.run();
      else putEngine.run(choice.connection, choice.model);
    },
    lastTest(connection) {
      const row = test.get(connection) as (Omit<LastTest, 'ok'> & { ok: number }) | undefined;
      return row && { ...row, ok: row.ok === 1 };
    },
    setTest(connection, t) {
      if (t === null) dropTest.run(connection);
      else putTest.run(connection, t.at, t.ok ? 1 : 0, t.message, t.duration_ms);
    },
  };
}
