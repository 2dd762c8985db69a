/** REST of agents, besides what every kind has. */
import type { Route } from '@coffer/kernel';
import { agentRoutes, type AgentParts } from './api/agents.js';
import { clientRoutes, type ClientParts } from './api/clients.js';
import { fileRoutes, type FileParts } from './api/files.js';
import { mcpRoutes, type McpParts } from './api/mcp.js';
import { wiringRoutes, type WiringParts } from './api/wiring.js';

export type ApiParts = AgentParts & McpParts & FileParts & WiringParts & ClientParts;

export function routes(parts: ApiParts): Route[] {
  return [
    ...agentRoutes(parts),
    ...mcpRoutes(parts),
    ...fileRoutes(parts),
    ...wiringRoutes(parts),
    ...clientRoutes(parts),
  ];
}
