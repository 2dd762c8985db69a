/** How long a request may be out before the switch shows a ring, in milliseconds. */
const PENDING_MS = 300;

interface Wish {
  value: boolean;
  send: (value: boolean) => Promise<unknown>;
}

/**
 * Switches that act at once. One request per key is in flight and the last wish is sent next; what is shown is the wish until
 * the server has answered. Nothing ever flips back on a timer: after a refusal the server's own value is shown again.
 */
export class Switches {
  #wishes = new Map<string, Wish>();
  #busy = new Set<string>();
  #late = new Set<string>();
  #errors = new Map<string, string>();

  constructor(private readonly update: () => void) {}

  /** What to show for a key whose value on the server is `known`. */
  shown(key: string, known: boolean): boolean {
    return this.#wishes.get(key)?.value ?? known;
  }
  pending(key: string): boolean {
    return this.#late.has(key);
  }
  /** Why the last wish was refused. */
  error(key: string): string {
    return this.#errors.get(key) ?? '';
  }

  /** `settle` runs after the answer, before the wish is dropped: it brings in what the server says now. */
  async set(
    key: string,
    value: boolean,
    send: (value: boolean) => Promise<unknown>,
    settle: () => Promise<unknown>,
  ): Promise<void> {
    this.#wishes.set(key, { value, send });
    this.#errors.delete(key);
    this.update();
    if (this.#busy.has(key)) return;
    this.#busy.add(key);
    const timer = setTimeout(() => {
      this.#late.add(key);
      this.update();
    }, PENDING_MS);
    let sent: Wish | undefined;
    try {
      while ((sent = this.#wishes.get(key)) !== undefined) {
        await sent.send(sent.value);
        if (this.#wishes.get(key) === sent) break;
      }
    } catch (e) {
      this.#errors.set(key, e instanceof Error ? e.message : String(e));
    }
    await settle();
    clearTimeout(timer);
    this.#wishes.delete(key);
    this.#busy.delete(key);
    this.#late.delete(key);
    this.update();
  }
}
