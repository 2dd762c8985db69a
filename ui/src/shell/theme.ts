import { recall, remember } from '../kit/index.js';

export type Theme = 'system' | 'light' | 'dark';

export function currentTheme(): Theme {
  const kept = recall('coffer.theme');
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function setTheme(theme: Theme): void {
  remember('coffer.theme', theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const hear of hearers) hear();
}

/** What is on screen now. */
export function isDark(): boolean {
  const theme = currentTheme();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

const hearers = new Set<() => void>();
export function onTheme(hear: () => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}
