const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Runs something that may take a while; after a second a terminal shows on stderr what is going on. */
export async function progress<T>(label: string, work: () => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work();
  const from = Date.now();
  let shown = 0;
  const timer = setInterval(() => {
    const s = Math.floor((Date.now() - from) / 1000);
    if (s < 1) return;
    process.stderr.write(`\r\u001b[K${FRAMES[shown++ % FRAMES.length]} ${label} (${s} s)`);
  }, 100);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (shown > 0) process.stderr.write('\r\u001b[K');
  }
}
