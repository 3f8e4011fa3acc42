import type { Login } from '../../src/db/pool.ts';

/** A request of the load generator. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`. */
  readonly path: string;
  /** Which user of the population asks; a guest where there is none. */
  readonly user?: number;
  /** Which of that user's access tokens, each of its own text; the first where there is none. */
  readonly issue?: number;
  readonly body?: object;
}

/** Requests of one kind: a block of them has consecutive numbers, and what a request touches follows from `n` alone. */
export interface Requests {
  readonly title: string;
  /** How many of them a block has, which is as many as each round makes. */
  readonly count: number;
  readonly status: 200 | 201;
  /** A text that tells the right answer of the API from one to somebody else, as a guest. */
  readonly answerHolds: string;
  request(n: number): ApiRequest;
}

/**
 * One request, through the API and as the SQL that the API sends. Both sides make request number `n`, and no number is
 * used twice.
 */
export interface Comparison extends Requests {
  /** The least share of pgbench's rate that the API shall reach; none: shown for information. */
  readonly target?: number;
  /** Which login sends the SQL. */
  readonly login: Login;
  /** The same request as a pgbench script, in which `:n` is its number. */
  readonly sql: string;
}

/** What `npm run bench -- <name>` picks. */
export interface Scenario {
  readonly name: string;
  readonly comparisons: readonly Comparison[];
}
