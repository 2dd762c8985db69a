/** The commands of `coffer llm`, thin: they call REST. */
import type { Commands, Toolkit } from '@coffer/cli';
import { agentCommands } from './cli/agents.js';
import { changeCommands } from './cli/change.js';
import { lookCommands } from './cli/look.js';

export default (kit: Toolkit): Commands => [...lookCommands(kit), ...changeCommands(kit), ...agentCommands(kit)];
