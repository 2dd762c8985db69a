/** Something that the palette can go to. */
export interface PaletteEntry {
  /** What is read; a verb first where something happens: "Try search_issues". */
  label: string;
  /** Where it is, or what state it is in. */
  hint?: string;
  /** Address of its page. */
  route: string;
  /** Path data on a grid of 16. */
  icon?: string;
}

/** Finds in what a plugin holds, so that the palette reaches it. */
export interface PaletteSource {
  /** The id under which the manifest's `ui.search` announces it. */
  id: string;
  /** The best first; a few are enough. `signal` aborts when more was typed. What it throws is shown in its place. */
  search(text: string, signal: AbortSignal): Promise<readonly PaletteEntry[]>;
}

const sources = new Map<string, PaletteSource>();

/**
 * Lets the palette find what a plugin holds. The manifest announces it (`"search": [{ "id", "label" }]`), so that the module is
 * fetched only when someone types; the label is the heading over what was found.
 */
export function addPaletteSource(source: PaletteSource): void {
  sources.set(source.id, source);
}

/** For the shell. */
export const paletteSource = (id: string): PaletteSource | undefined => sources.get(id);
