/** The reads that a replica may answer for guests, a few seconds behind (docs/decisions/018-replicas.md). */
export const STALE_READS = ['feeds', 'profiles', 'search'] as const;

/** One of `STALE_READS`. */
export type StaleRead = (typeof STALE_READS)[number];
