import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../db/paths.ts';
import { apiEnvironment, createBearers } from '../api.ts';

import { type Child, type Delays, type Server, startChild, startServer } from '../processes.ts';
import { print, printTable, verdict } from '../rounds.ts';
import type { World } from '../world.ts';
import type { Order } from './streams-clients.ts';

/** Idle streams on one process. */
const STREAMS = 15_000;

/** Streams that are opened and closed first, so that one-time memory does not count. */
const WARM_UP = 500;

/** Processes that open the streams. */
const CLIENTS = 2;

/** Bytes of memory per stream. */
const TARGET = { atMost: 14_000 };

const SETTLE_MS = 3_000;
const IDLE_MS = 5_000;

/** Twice the interval of the comments on a stream. */
const COMMENTS_MS = 30_000;

/** Sends an order to each process of clients. Returns the comments that arrived since the order before. */
async function command(clients: readonly Child[], orderOf: (place: number) => Order): Promise<number> {
  const counts = await Promise.all(clients.map((client, place) => client.request<number>(orderOf(place))));
  return counts.reduce((total, count) => total + count, 0);
}

/** Measures bytes per stream and delays: opens streams on a server, waits for two rounds of comments, and closes them. @param tokens one per stream */
async function measureServer(
  title: string,
  server: Server,
  clients: readonly Child[],
  tokens: readonly string[],
) {
  const open = (all: readonly string[]) =>
    command(clients, (place) => ({
      what: 'open',
      port: server.port,
      tokens: all.filter((_, n) => n % CLIENTS === place),
    }));
  const close = () => command(clients, () => ({ what: 'close' }));
  const comments = () => command(clients, () => ({ what: 'count comments' }));
  await open(tokens.slice(0, WARM_UP));
  await close();
  await pause(SETTLE_MS);
  const idle = await server.delays(IDLE_MS);
  const before = await server.memory(true);
  const perStream = async (isCollected: boolean) => ((await server.memory(isCollected)) - before) / STREAMS;
  const began = performance.now();
  await open(tokens);
  print(`streams: ${title} opened ${STREAMS} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await pause(SETTLE_MS);
  const opened = await perStream(false);
  const collected = await perStream(true);
  await comments();
  const commenting = await server.delays(COMMENTS_MS);
  const arrived = await comments();
  // Each stream gets two, of which the second may arrive late.
  if (arrived < STREAMS) throw new Error(`${title}: ${arrived} comments arrived on ${STREAMS} streams`);
  const commented = await perStream(false);
  await close();
  await pause(SETTLE_MS);
  const closed = await perStream(true);
  return { title, memory: { opened, collected, commented, closed }, idle, commenting };
}

/** Measures the memory and the event-loop delay of many idle streams on the API, and on node:http alone. */
export async function streams(world: World): Promise<void> {
  const database = await world.createDatabase();
  const { signingKey, tokenOf } = await createBearers();
  const tokens: string[] = [];
  for (let user = 0; user < STREAMS; user += 1) tokens.push(await tokenOf(user));
  await using parts = new AsyncDisposableStack();
  const clients = Array.from({ length: CLIENTS }, () =>
    parts.use(startChild('scenarios/streams-clients.ts')),
  );
  const measure = async (title: string, program: string, env: Readonly<Record<string, string>>) => {
    await using server = await startServer(program, env, path.join(world.directory, 'streams.log'));
    return await measureServer(title, server, clients, tokens);
  };
  const api = await measure('API', path.join(ROOT, 'src/server.ts'), apiEnvironment(database, signingKey));
  const bare = await measure('node:http', 'scenarios/streams-bare.ts', {});
  const memoryRow = (title: string, point: keyof typeof api.memory, isJudged: boolean) => {
    const [bytes, baseline] = [api.memory[point], bare.memory[point]];
    const target = isJudged ? TARGET : undefined;
    const cells = [bytes.toFixed(0), baseline.toFixed(0), (bytes / baseline).toFixed(2)];
    return [title, ...cells, verdict(bytes, target, String)];
  };
  printTable(
    [`bytes a stream, ${STREAMS} streams`, api.title, bare.title, 'ratio', 'target'],
    [
      memoryRow('3 s after the last was opened', 'opened', true),
      memoryRow('the same, garbage collected', 'collected', true),
      memoryRow('after two rounds of comments', 'commented', true),
      memoryRow('when all are closed, garbage collected', 'closed', false),
    ],
  );
  const delaysRow = (title: string, { median, p99, longest }: Delays) => [
    title,
    ...[median, p99, longest].map((delay) => delay.toFixed(1)),
  ];
  printTable(
    ['ms of event-loop delay', 'median', '99th percentile', 'longest'],
    [api, bare].flatMap(({ title, idle, commenting }) => [
      delaysRow(`${title}, no stream`, idle),
      delaysRow(`${title}, comments to ${STREAMS} streams`, commenting),
    ]),
  );
}
