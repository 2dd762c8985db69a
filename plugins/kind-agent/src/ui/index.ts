/** The pages of agents. */
import './list.js';
import './page.js';
