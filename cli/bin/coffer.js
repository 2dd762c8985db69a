#!/usr/bin/env node
// Node says of a package's older parts what no user of this program can act on.
process.removeAllListeners('warning');

const args = process.argv.slice(2);
if (args.length === 3 && args.join(' ') === 'daemon start --foreground') {
  // This process becomes the daemon itself: signals and exit code are its own.
  await import('@coffer/kernel/main');
} else {
  const { main } = await import('../dist/main.js');
  await main(args);
}
