/** The pages of skills. */
import './list.js';
import './page.js';
