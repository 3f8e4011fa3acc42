import type { Fault } from './fault.ts';

/** Faults of SQL objects, by domain. */
export const SCHEMA_FAULTS: readonly Fault[] = [];
