const failures = new Map<string, number>();

/**
 * Imports a plugin's module. The browser keeps what came of an address, an error too, so a failed import is tried again under another;
 * one that succeeded never is, since an element can be defined only once.
 */
export async function loadModule(address: string): Promise<void> {
  const failed = failures.get(address) ?? 0;
  try {
    await import(
      /* @vite-ignore */ failed === 0 || address.startsWith('data:') ? address : `${address}&again=${failed}`
    );
  } catch (e) {
    failures.set(address, failed + 1);
    throw e;
  }
}
