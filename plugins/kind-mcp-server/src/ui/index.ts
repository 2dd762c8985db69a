/** The pages of MCP servers. Each is fetched when it is first opened. */
import './list.js';
import './page.js';
import './palette.js';
import './search.js';
