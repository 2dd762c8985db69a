// The page is plain HTML, CSS and one module: building is copying.
import { cpSync, rmSync } from 'node:fs';
const at = (p) => new URL(p, import.meta.url);
rmSync(at('dist'), { recursive: true, force: true });
cpSync(at('src'), at('dist'), { recursive: true });
