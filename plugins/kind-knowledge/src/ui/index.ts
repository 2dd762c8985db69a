/** The pages of knowledge bases. */
import './list.js';
import './page.js';
