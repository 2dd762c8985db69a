#!/usr/bin/env node
const args = process.argv.slice(2);
if (args.join(' ') === 'daemon start --foreground') {
  // This process becomes the daemon itself: signals and exit code are its own.
  await import('@coffer/kernel/main');
} else {
  const { main } = await import('../dist/main.js');
  await main(args);
}
