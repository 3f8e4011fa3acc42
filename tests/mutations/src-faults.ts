import type { Fault } from './fault.ts';

/** Faults of files of src, by folder. */
export const SRC_FAULTS: readonly Fault[] = [
  {
    in: 'src/http/idempotency.ts',
    clause: '{1,128}',
    instead: '{1,127}',
    noticedBy: 'tests/http/idempotency.test.ts',
  },
];
