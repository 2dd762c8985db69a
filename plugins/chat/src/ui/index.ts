/** The page of chat. */
import './page.js';
