/** Reads that a replica may answer for guests, some seconds late (docs/decisions/018-replicas.md). */
export const STALE_READS = ['feeds', 'profiles', 'search'] as const;

/** One of `STALE_READS`. */
export type StaleRead = (typeof STALE_READS)[number];
