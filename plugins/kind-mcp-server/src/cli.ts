/** The commands of `coffer mcp`, thin: they call REST. */
import type { Commands, Toolkit } from '@coffer/cli';
import { capabilityCommands } from './cli/capabilities.js';
import { importCommands } from './cli/import.js';
import { serverCommands } from './cli/servers.js';
import { useCommands } from './cli/use.js';

export default (kit: Toolkit): Commands => [
  ...serverCommands(kit),
  ...useCommands(kit),
  ...capabilityCommands(kit),
  ...importCommands(kit),
];
