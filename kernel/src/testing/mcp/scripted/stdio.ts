import type { Obj } from '../../../json.js';
import { lineReader } from '../rpc.js';
import { createSession } from './session.js';
import type { World } from './types.js';

/** One session on this process's own pipes. */
export function serveStdio(world: World): void {
  const session = createSession(world, {
    send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
    closeStream: () => {},
  });
  world.sessions.add(session);
  process.stdin.on(
    'data',
    lineReader((line) => {
      const message: Obj | Obj[] = JSON.parse(line);
      // batches exist in 2025-03-26 only; taking them in costs one line
      for (const m of Array.isArray(message) ? message : [message]) session.receive(m);
    }),
  );
  process.stdin.on('end', () => process.exit(0));
}
