import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startApi } from './api.ts';
import { type Bearers, createBearers } from './bearers.ts';
import { type Listener, listen } from './notif-listeners.ts';
import { addPeople } from './notif-people.ts';
import type { Figure } from './notif-report.ts';
import { SIGNALS, SIGNALS_A_SECOND, WRITES_A_SECOND } from './notif-sizes.ts';
import type { Writing } from './notif-writers.ts';
import { idOf, USERS } from './population.ts';
import { quantile } from './rates.ts';
import type { World } from './world.ts';

const WRITERS = path.join(import.meta.dirname, 'notif-writers.ts');
const TARGET_MS = 300;
const RUN_UP_MS = 3_000;
const TIMEOUT_MS = 10_000;

/** Times signals on open streams, from the answer of what they tell of, while many others write. */
export async function timeSignals(world: World, print: (text: string) => void): Promise<Figure[]> {
  const database = await world.createDatabase();
  await addPeople(database.superuserUrl, USERS);
  const bearers = await createBearers();
  const databaseUrl = database.urlAs('opine_gateway');
  const logFile = path.join(world.directory, 'api.log');
  await using api = await startApi({ databaseUrl, signingKey: bearers.signingKey, logFile });
  const listeners: Listener[] = [];
  for (let user = 0; user < SIGNALS; user += 1) listeners.push(await listen(api.port, bearers, user));
  const quiet = await timesOf(listeners.slice(0, SIGNALS / 3), 0, api.port, bearers);
  const writing: Writing = { url: databaseUrl, perSecond: WRITES_A_SECOND };
  const writers = fork(WRITERS, [JSON.stringify(writing)]);
  try {
    await pause(RUN_UP_MS);
    const [before, since] = [await writtenBy(writers), performance.now()];
    const busy = await timesOf(listeners.slice(SIGNALS / 3), SIGNALS / 3, api.port, bearers);
    const written = (await writtenBy(writers)) - before;
    const writes = written / ((performance.now() - since) / 1000);
    print(`notifications: ${busy.length} signals beside ${writes.toFixed(0)} writes a second`);
    return figuresOf(quiet, busy, writes);
  } finally {
    writers.disconnect();
    for (const listener of listeners) listener.close();
  }
}

/** Lets somebody follow each of those who listen. @returns how long each hint took */
async function timesOf(
  listeners: readonly Listener[],
  first: number,
  port: number,
  bearers: Bearers,
): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (const [place, listener] of listeners.entries()) {
    times.push(hintTime(listener, first + place, port, bearers));
    await pause(1000 / SIGNALS_A_SECOND);
  }
  const late = pause(TIMEOUT_MS, null, { ref: false });
  const all = await Promise.race([Promise.all(times), late]);
  if (all === null) throw new Error('a hint never came');
  return all;
}

async function hintTime(listener: Listener, user: number, port: number, bearers: Bearers): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/users/${idOf(user)}/follow`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await bearers.tokenOf(USERS - 1 - user)}` },
  });
  const answered = performance.now();
  const text = await answer.text();
  if (!answer.ok) throw new Error(`a follow was answered with ${answer.status}: ${text}`);
  return (await listener.hinted) - answered;
}

async function writtenBy(writers: ChildProcess): Promise<number> {
  const answered = once(writers, 'message');
  writers.send('how many');
  const [count]: number[] = await answered;
  return count ?? Number.NaN;
}

function figuresOf(quiet: readonly number[], busy: readonly number[], writes: number): Figure[] {
  return [
    { title: `ms until a hint, ${writes.toFixed(0)} writes a second`, values: busy, atMost: TARGET_MS },
    { title: 'its 95th percentile', values: [quantile(busy, 0.95)] },
    { title: 'ms until a hint, nothing else going on', values: quiet },
  ];
}
