/** What was typed and not saved: it survives reload, sign-out and conflict, for as long as the tab lives. */
export const draft = {
  get<T>(key: string): T | undefined {
    const text = sessionStorage.getItem(`draft:${key}`);
    // Written by set() below, with the same key and so the same type.
    return text === null ? undefined : (JSON.parse(text) as T);
  },
  set(key: string, value: unknown): void {
    sessionStorage.setItem(`draft:${key}`, JSON.stringify(value));
  },
  drop(key: string): void {
    sessionStorage.removeItem(`draft:${key}`);
  },
};
