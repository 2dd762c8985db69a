/** Settings of agents for tests. */
/** Looks like a token and is none. */
export const TOKEN = 'ghp_a1B2c3D4e5F6g7H8i9J0';

/** As people have them. */
export const CLAUDE_JSON = `{
  "numStartups": 42,
  "projects": {
    "/home/me/größe": { "allowedTools": [] }
  },
  "mcpServers": {
    "github": {
      "type": "stdio",
      "command": "no-such-server",
      "args": ["--stdio", "@modelcontextprotocol/server-github"],
      "env": {
        "GITHUB_TOKEN": "${TOKEN}",
        "LOG": "1"
      }
    },
    "docs": { "type": "http", "url": "https://docs.example.com/mcp?key=abc" }
  },
  "tipsHistory": { "新": 3 }
}
`;
export const CLAUDE_SETTINGS = `{
    "model": "opus",
    "permissions": { "allow": ["Bash(ls:*)"] },
    "hooks": {
        "SessionStart": [
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo mine" }] }
        ]
    },
    "enabledPlugins": { "fmt@acme": true }
}
`;
export const CODEX_TOML = `# by hand
model = "gpt-5-codex" # the good one

[mcp_servers.linear]
url = "https://mcp.linear.example/mcp" # work
http_headers = { Authorization = "Bearer ${TOKEN}" }
enabled = true

[mcp_servers.time]
command = "uvx"
args = ["mcp-server-time"]

[plugins."fmt@acme"]
enabled = true

[tui]
theme = "dark"
`;
