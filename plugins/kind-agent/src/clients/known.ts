/** MCP clients that are no agents of the vault: where each keeps its servers, by system. */
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import type { Launch } from '../launch.js';

/** What a place depends on. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  /** `%APPDATA%`, where there is one. */
  appData: string | undefined;
}

export interface Client {
  id: string;
  label: string;
  file(machine: Machine): string;
  /** Where in the file the servers are. */
  path: readonly string[];
  entry?(launch: Launch): Obj;
  /** What it takes until it sees the change. */
  then: string;
}

/** The folder in which programs with windows keep their settings. */
function settingsOf({ platform, home, appData }: Machine): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  if (platform === 'win32') return appData ?? path.join(home, 'AppData', 'Roaming');
  return path.join(home, '.config');
}

const typed = ({ command, args, env }: Launch, type: Obj): Obj => ({
  ...type,
  command,
  args,
  ...(Object.keys(env).length > 0 && { env }),
});

export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    file: (m) => path.join(settingsOf(m), 'Claude', 'claude_desktop_config.json'),
    path: ['mcpServers'],
    then: 'Quit it and start it again.',
  },
  {
    id: 'cursor',
    label: 'Cursor',
    file: ({ home }) => path.join(home, '.cursor', 'mcp.json'),
    path: ['mcpServers'],
    then: 'It asks whether the new server may be used: Settings, MCP.',
  },
  {
    id: 'vscode',
    label: 'VS Code',
    file: (m) => path.join(settingsOf(m), 'Code', 'User', 'mcp.json'),
    path: ['servers'],
    entry: (launch) => typed(launch, { type: 'stdio' }),
    then: 'It starts the server when a chat first needs it.',
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    file: ({ home }) => path.join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    path: ['mcpServers'],
    then: 'Refresh its list of MCP servers.',
  },
  {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    file: ({ home }) => path.join(home, '.gemini', 'settings.json'),
    path: ['mcpServers'],
    then: 'A new session has it.',
  },
  {
    id: 'zed',
    label: 'Zed',
    file: ({ platform, home, appData }) =>
      platform === 'win32' && appData !== undefined
        ? path.join(appData, 'Zed', 'settings.json')
        : path.join(home, '.config', 'zed', 'settings.json'),
    path: ['context_servers'],
    entry: (launch) => typed(launch, { source: 'custom' }),
    then: 'It has it at once.',
  },
];
