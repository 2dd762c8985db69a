import { findProgram, ownerEnvironment, type AgentProvider, type Kernel } from '@coffer/kernel';
import { codexAdapter } from './adapter.js';

/** Conversations with Codex. It keeps its own threads; what we keep of one is its id. */
export function codexChat(kernel: Kernel): AgentProvider {
  return {
    key: 'codex',
    displayName: 'Codex',
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
      return (await findProgram('codex')) === undefined
        ? { available: false, reason: 'codex was not found on the PATH' }
        : { available: true };
    },
    createAdapter: () =>
      codexAdapter(kernel, async () => {
        const command = await findProgram('codex');
        return command === undefined ? undefined : { command, env: await ownerEnvironment() };
      }),
  };
}
