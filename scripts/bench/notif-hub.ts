import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../local/connection.ts';
import { startApi } from './api.ts';
import { type Bearers, createBearers } from './bearers.ts';
import type { Requests } from './comparison.ts';
import { runLoad } from './load.ts';
import { addPeople, HUB } from './notif-people.ts';
import type { Figure } from './notif-report.ts';
import { HUB_POSTS, NOTIFIED, REQUESTS_BEFORE, REQUESTS_MEANWHILE } from './notif-sizes.ts';
import { idOf, POSTS } from './population.ts';
import { median, rateOf } from './rates.ts';
import type { World } from './world.ts';

const AUTHOR = 0;
const TARGETS = { answerMs: 100, toldSeconds: 20 };
const TIMEOUT_MS = 120_000;

const reading = (count: number): Requests => ({
  title: 'GET /posts/{id}',
  count,
  status: 200,
  answerHolds: '"canComment": false',
  request: (n) => ({ method: 'GET', path: `/posts/${idOf(n % POSTS)}` }),
});

/** What one post came to. */
interface Trial {
  readonly answerMs: number;
  /** From the request on until everybody is told, and until nothing lies in the outbox. */
  readonly toldSeconds: number;
  readonly drainedSeconds: number;
  /** Requests a second of others, before the post and until everybody is told. */
  readonly rateBefore: number;
  readonly rateMeanwhile: number;
}

/**
 * Posts into a Hub of very many through the API, whose worker tells them while others go on reading.
 */
export async function postIntoHub(world: World, print: (text: string) => void): Promise<Figure[]> {
  const database = await world.createDatabase();
  await addPeople(database.superuserUrl, NOTIFIED + 1);
  const bearers = await createBearers();
  const { directory } = world;
  await using api = await startApi({
    databaseUrl: database.urlAs('opine_gateway'),
    signingKey: bearers.signingKey,
    logFile: path.join(directory, 'api.log'),
  });
  const readRate = async (count: number) => {
    const timings = await runLoad(reading(count), { port: api.port, bearers, directory, first: 0 });
    return rateOf(timings.map(([, answered]) => answered));
  };
  return await withClient(database.superuserUrl, async (client) => {
    const trials: Trial[] = [];
    for (let number = 0; number <= HUB_POSTS; number += 1) {
      const trial = await tryPost(client, () => publish(api.port, bearers, number), readRate);
      if (number === 0) continue;
      trials.push(trial);
      print(
        `notifications: post ${number}: ${trial.answerMs.toFixed(0)} ms, ${trial.toldSeconds.toFixed(1)} s`,
      );
    }
    return figuresOf(trials);
  });
}

async function tryPost(
  client: pg.Client,
  publishPost: () => Promise<string>,
  readRate: (count: number) => Promise<number>,
): Promise<Trial> {
  const rateBefore = await readRate(REQUESTS_BEFORE);
  const begun = performance.now();
  const since = () => performance.now() - begun;
  const postId = await publishPost();
  const answerMs = since();
  let isTold = false;
  const telling = becomes(client, 'not exists (select from app.fan_outs)').then(() => {
    isTold = true;
    return since();
  });
  const rates: number[] = [];
  // The last block may end behind it, unless it is the only one.
  while (!isTold) {
    const rate = await readRate(REQUESTS_MEANWHILE);
    if (!isTold || rates.length === 0) rates.push(rate);
  }
  const toldMs = await telling;
  await checkTold(client, postId);
  await becomes(client, 'not exists (select from app.outbox)');
  return {
    answerMs,
    toldSeconds: toldMs / 1000,
    drainedSeconds: since() / 1000,
    rateBefore,
    rateMeanwhile: median(rates),
  };
}

/** @returns the post's id */
async function publish(port: number, bearers: Bearers, number: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/posts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await bearers.tokenOf(AUTHOR)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      thoughtText: `The bakery moves to the corner, part ${number}.`,
      visibility: 'private_locked_hub',
      hubIds: [idOf(HUB)],
    }),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`the post was not taken: ${text}`);
  const { data } = JSON.parse(text) as { readonly data: { readonly id: string } };
  return data.id;
}

async function becomes(client: pg.Client, condition: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { rows } = await client.query<{ is_so: boolean }>(`select ${condition} as is_so`);
    if (rows[0]?.is_so) return;
    await pause(50);
  }
  throw new Error(`it did not become so: ${condition}`);
}

async function checkTold(client: pg.Client, postId: string): Promise<void> {
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = $1',
    [postId],
  );
  if (rows[0]?.count !== String(NOTIFIED)) throw new Error(`${rows[0]?.count} of ${NOTIFIED} were told`);
}

function figuresOf(trials: readonly Trial[]): Figure[] {
  const all = (of: (trial: Trial) => number) => trials.map(of);
  return [
    {
      title: `ms until a post for ${NOTIFIED} is answered`,
      values: all(({ answerMs }) => answerMs),
      atMost: TARGETS.answerMs,
    },
    {
      title: 's until all of them have it in their inbox',
      values: all(({ toldSeconds }) => toldSeconds),
      atMost: TARGETS.toldSeconds,
    },
    { title: 's until nothing lies in the outbox', values: all(({ drainedSeconds }) => drainedSeconds) },
    { title: 'GET /posts/{id} a second before', values: all(({ rateBefore }) => rateBefore) },
    {
      title: 'GET /posts/{id} a second until all have it',
      values: all(({ rateMeanwhile }) => rateMeanwhile),
    },
    {
      title: 'the latter held against the former',
      values: all(({ rateBefore, rateMeanwhile }) => rateMeanwhile / rateBefore),
      digits: 2,
    },
  ];
}
