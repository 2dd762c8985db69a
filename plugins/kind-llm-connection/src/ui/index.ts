/** The pages of LLM connections. */
import './list.js';
import './page.js';
