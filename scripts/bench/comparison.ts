import type { Login } from '../../src/db/logins.ts';

/** A request of the load generator. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`. */
  readonly path: string;
  /** Which user of the population asks; a guest where there is none. */
  readonly user?: number;
  readonly body?: object;
}

/**
 * One request, through the API and as the SQL that the API sends. Both sides make request number `n` of a block of
 * consecutive numbers, and no number is used twice: what a request touches follows from `n` alone.
 */
export interface Comparison {
  readonly title: string;
  /** The least share of pgbench's rate that the API shall reach; none: shown for information. */
  readonly target?: number;
  /** How many requests each side makes in a round. */
  readonly count: number;
  readonly status: 200 | 201;
  /** A text that tells the right answer of the API from one to somebody else, as a guest. */
  readonly answerHolds: string;
  request(n: number): ApiRequest;
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
