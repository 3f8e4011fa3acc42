import type { Fault } from './fault.ts';

/** Faults of files of src, by folder. */
export const SRC_FAULTS: readonly Fault[] = [];
