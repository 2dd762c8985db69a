import { findProgram, ownerEnvironment, type AgentAdapter, type AgentProvider, type Kernel } from '@coffer/kernel';
import type { Launch } from './adapter.js';

/** Conversations with Claude Code. It keeps its own transcripts; what we keep of one is its id. */
export function claudeChat(kernel: Kernel): AgentProvider {
  return {
    key: 'claude_code',
    displayName: 'Claude Code',
    configSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        cwd: {
          type: 'string',
          title: 'Folder',
          description: 'Where the agent works; without one, in the workspace of the vault',
          maxLength: 4096,
        },
        model: { type: 'string', title: 'Model', description: 'As the agent calls it', maxLength: 200 },
      },
    },
    async availability() {
      return (await findProgram('claude')) === undefined
        ? { available: false, reason: 'claude was not found on the PATH' }
        : { available: true };
    },
    // Names that it resolves to its newest by itself.
    models: () => ['opus', 'sonnet', 'haiku'],
    createAdapter: () => lazily(kernel, launchOf),
  };
}

/** Claude refuses full permissions to root, unless the owner's environment says `IS_SANDBOX=1`: that is the owner's to say. */
async function launchOf(): Promise<Launch | undefined> {
  const command = await findProgram('claude');
  return command === undefined ? undefined : { command, env: await ownerEnvironment() };
}

/** Its code is read when somebody first talks to Claude, not when the daemon starts. */
function lazily(kernel: Kernel, launch: () => Promise<Launch | undefined>): AgentAdapter {
  let adapter: AgentAdapter | undefined;
  return {
    async *runTurn(turn) {
      const { claudeAdapter } = await import('./adapter.js');
      adapter = claudeAdapter(kernel, launch);
      yield* adapter.runTurn(turn);
    },
    async dispose() {
      await adapter?.dispose?.();
    },
  };
}
