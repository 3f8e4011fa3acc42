import { setTimeout as pause } from 'node:timers/promises';
import type { Delays } from './stream-probe.ts';
import type { Clients, Holder } from './stream-processes.ts';
import { RUN_UP, STREAMS, WATCHED_MS } from './stream-sizes.ts';

const REST_MS = 3_000;
const ALONE_MS = 5_000;

/** Bytes of resident memory a stream. */
interface Memory {
  readonly opened: number;
  readonly collected: number;
  /** While comments go round. */
  readonly later: number;
  /** When all have left. */
  readonly left: number;
}

/** What holding streams came to. */
export interface Trial {
  readonly title: string;
  readonly memory: Memory;
  readonly openedInSeconds: number;
  readonly alone: Delays;
  readonly commenting: Delays;
}

/**
 * Opens streams on a server, lets comments go round, and leaves.
 * @param tokens one for each stream
 */
export async function tryHolder(
  title: string,
  holder: Holder,
  clients: Clients,
  tokens: readonly string[],
): Promise<Trial> {
  await clients.open(holder.port, tokens.slice(0, RUN_UP));
  await clients.leave();
  await pause(REST_MS);
  const alone = await holder.delays(ALONE_MS);
  const before = await holder.memory(true);
  const each = async (isCollected: boolean) => ((await holder.memory(isCollected)) - before) / STREAMS;
  const begun = performance.now();
  await clients.open(holder.port, tokens);
  const openedInSeconds = (performance.now() - begun) / 1000;
  await pause(REST_MS);
  const opened = await each(false);
  const collected = await each(true);
  await clients.comments();
  const commenting = await holder.delays(WATCHED_MS);
  const comments = await clients.comments();
  // Two each, of which a late one may lie behind the end.
  if (comments < STREAMS) throw new Error(`${title}: ${comments} comments came to ${STREAMS} streams`);
  const later = await each(false);
  await clients.leave();
  await pause(REST_MS);
  const left = await each(true);
  return { title, memory: { opened, collected, later, left }, openedInSeconds, alone, commenting };
}
