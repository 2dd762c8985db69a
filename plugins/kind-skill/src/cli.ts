/** The commands of `coffer skill`, thin: they call REST. */
import type { Commands, Toolkit } from '@coffer/cli';
import { agentCommands } from './cli/agents.js';
import { importCommands } from './cli/import.js';
import { skillCommands } from './cli/skills.js';

export default (kit: Toolkit): Commands => [...skillCommands(kit), ...importCommands(kit), ...agentCommands(kit)];
