import './kit/index.js';
import { loadMessagesWith, preferredLanguage, setLanguage } from './kit/core/i18n.js';
import './shell/desk.js';
import './shell/login.js';
import './shell/palette.js';
import './shell/sidebar.js';
import './shell/app.js';

loadMessagesWith('zh', () => import('./locale/zh.js'));
void setLanguage(preferredLanguage());
