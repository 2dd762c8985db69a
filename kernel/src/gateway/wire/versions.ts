/** Versions of the older era, newest first. */
export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The one version that had batches. */
export const BATCH_VERSION = '2025-03-26';
