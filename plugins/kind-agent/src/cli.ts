/** The commands of `coffer agent`, `coffer connect` and `coffer disconnect`, thin: they call REST. */
import type { Commands, Toolkit } from '@coffer/cli';
import { agentCommands } from './cli/agents.js';
import { clientCommands } from './cli/clients.js';
import { fileCommands } from './cli/files.js';
import { mcpCommands } from './cli/mcp.js';
import { wiringCommands } from './cli/wiring.js';

export default (kit: Toolkit): Commands => [
  ...agentCommands(kit),
  ...mcpCommands(kit),
  ...fileCommands(kit),
  ...wiringCommands(kit),
  ...clientCommands(kit),
];
