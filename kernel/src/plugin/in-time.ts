/** How long an effect may take to end, in milliseconds: one that hangs must not keep the daemon from stopping. */
const END_MS = 5000;

/** Waits for the end of an effect. Rejects with what it threw, or when it takes too long. */
export async function inTime(end: void | Promise<void>): Promise<void> {
  if (!(end instanceof Promise)) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${END_MS / 1000} s`)), END_MS);
  });
  await Promise.race([end, late]).finally(() => clearTimeout(timer));
}
