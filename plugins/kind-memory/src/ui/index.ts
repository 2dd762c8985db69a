/** The page of memory. */
import './page.js';
