/** The page of memory. */
import './page.js';
import './words.js';
