/** A daemon in a process of its own, for tests that kill it. Says where it is on its standard output. */
import { createPuppet, openChat } from './support.js';

const home = process.argv[2] ?? '';
const puppet = createPuppet();
const c = await openChat({ home, puppet });
process.stdout.write(`${JSON.stringify({ url: c.k.url, token: c.k.token })}\n`);
const stage = await puppet.stage(0);
stage.emit({ type: 'session', session_id: 'kept' }, { type: 'text_delta', text: 'half an ans' });
