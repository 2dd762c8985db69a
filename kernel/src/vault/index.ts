/**
 * The vault without a daemon: what the CLI needs to find one, and to back up and restore a stopped one (docs/decisions/0005).
 * @packageDocumentation
 */
export { backupVault, checkBackup, TREES, type BackupReport } from './backup.js';
export { isPopulated, recoverRestore, restoreVault } from './restore.js';
export { isAlive, readDiscovery, type Discovery } from './discovery.js';
export { withVaultLock } from './lock.js';
export { ensureHome, pathsOf } from './paths.js';
export type { Paths } from './types.js';
