import type { Requests } from './comparison.ts';

/** Requests whose CPU time in the API is measured. */
export interface Cost extends Requests {
  /** What it is held against. None: it is a baseline itself. */
  readonly baselines?: readonly Cost[];
  /** The most that it shall add to each baseline, in microseconds a request at the median. */
  readonly target?: number;
}

/** What `npm run bench -- <name>` picks. */
export interface CostScenario {
  readonly name: string;
  /** In the order in which a round makes them, each after its baselines. */
  readonly costs: readonly Cost[];
  /** As a guest and with a bearer: held against each other for the look-up of the bearer's session. */
  readonly lookUp: { readonly guest: Requests; readonly bearer: Requests };
}
