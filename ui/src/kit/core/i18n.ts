/**
 * Two languages, switched without reload. The English sentence is the key, as with gettext: code reads as it speaks, a missing
 * translation falls back to it, and a plugin brings its own with {@link addMessages}.
 */
export type Language = 'en' | 'zh';
export type Params = Readonly<Record<string, string | number>>;

const catalogues: Record<Language, Record<string, string>> = { en: {}, zh: {} };
const loaders: Partial<Record<Language, () => Promise<unknown>>> = {};
const hearers = new Set<() => void>();
let language: Language = 'en';

export const currentLanguage = (): Language => language;

/** Adds translations; keys are the English sentences. Later ones win. */
export function addMessages(lang: Language, messages: Readonly<Record<string, string>>): void {
  Object.assign(catalogues[lang], messages);
  for (const hear of hearers) hear();
}

/** A catalogue that is fetched only when its language is chosen. */
export function loadMessagesWith(lang: Language, load: () => Promise<unknown>): void {
  loaders[lang] = load;
}

/** Resolves when the page speaks it. */
export async function setLanguage(lang: Language): Promise<void> {
  await loaders[lang]?.();
  language = lang;
  document.documentElement.lang = lang;
  remember('coffer.language', lang);
  for (const hear of hearers) hear();
}

/** What was chosen before, else what the browser asks for. */
export function preferredLanguage(): Language {
  const kept = recall('coffer.language');
  if (kept === 'en' || kept === 'zh') return kept;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** Calls `hear` when the language or its messages change; the returned function ends it. */
export function onLanguage(hear: () => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** A sentence in the current language. `{name}` is replaced with the parameter of that name; a number is written as the language does. */
export function t(sentence: string, params: Params = {}): string {
  const text = catalogues[language][sentence] ?? sentence;
  return text.replaceAll(/\{(\w+)\}/g, (whole, key: string) => {
    const value = params[key];
    if (value === undefined) return whole;
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value;
  });
}

/**
 * A sentence that came with data: the label of a kind, the title in a schema. A translation is shown when somebody brought one;
 * {@link t} is for the sentences of the code itself, which a test holds to be translated.
 */
export function translated(sentence: string): string {
  return catalogues[language][sentence] ?? sentence;
}

/** Of two sentences the one that fits `n`; `{n}` is the number. The second is the key of the translation. */
export function plural(n: number, one: string, other: string, params: Params = {}): string {
  const english = new Intl.PluralRules('en').select(n) === 'one' ? one : other;
  return t(language === 'en' ? english : other, { ...params, n });
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A browser without storage forgets; nothing else suffers.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
