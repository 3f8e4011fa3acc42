import { AsyncLocalStorage } from 'node:async_hooks';

/** One turn of one of the worker's duties: what its log lines and its connections are named by. */
export interface Turn {
  readonly duty: string;
  /** Another id each turn. */
  readonly turn: string;
}

const turns = new AsyncLocalStorage<Turn>();

/** Runs `work` as a turn of `duty`: `currentTurn` tells whatever it calls. */
export function inTurn<T>(duty: string, work: () => Promise<T>): Promise<T> {
  return turns.run({ duty, turn: crypto.randomUUID() }, work);
}

/** The turn that this is a part of, undefined outside of any. */
export function currentTurn(): Turn | undefined {
  return turns.getStore();
}

/** Runs `work` as part of no turn: what happens to a connection is nothing of the turn that made it. */
export function outsideTurns(work: () => void): void {
  turns.exit(work);
}
