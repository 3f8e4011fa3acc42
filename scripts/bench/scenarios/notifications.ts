import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { createSecrets } from '../../../src/auth/secrets.ts';
import type { DB } from '../../../src/db/types.ts';
import { openWorkerDatabase } from '../../../src/db/worker-database.ts';
import { createLog } from '../../../src/log.ts';
import { UNWATCHED } from '../../../src/observability/watch.ts';
import type { PushSender } from '../../../src/push/push.ts';
import { createDispatch } from '../../../src/worker/dispatch.ts';
import { deliverOutbox, lookInto, pushToDevices } from '../../../src/worker/tasks.ts';
import { startWorker } from '../../../src/worker/worker.ts';
import { withClient } from '../../local/connection.ts';
import { type Api, HASH_SECRET, startApi } from '../api.ts';
import { idOf, POSTS, USERS } from '../population.ts';
import { startChild } from '../processes.ts';
import { callGateway, type Requests } from '../requests.ts';
import {
  byRound,
  measureRounds,
  median,
  print,
  printRatios,
  printTable,
  quantile,
  type Ratio,
  ratioCells,
  span,
  type Target,
  timed,
  type Variant,
  variantsIn,
  verdict,
} from '../rounds.ts';
import { connect, type World } from '../world.ts';
import {
  addDevices,
  addInboxes,
  addPeople,
  fillOutbox,
  HUB,
  type Inbox,
} from './notifications-population.ts';

const UNREAD: Inbox = { user: 0, count: 100_000, isRead: false };
const NONE_UNREAD: Inbox = { user: 1, count: 2_000, isRead: true };
const READ: Inbox = { user: 2, count: 100_000, isRead: true };

/** Rounds of reading inboxes, readings in each, and the Hubs of each reader. */
const INBOX = { rounds: 7, passes: 20, hubs: 20, target: { atMost: 1.5 } };

/** Rows of the outbox in a drain, drains without other sessions, and the time of draining beside an old snapshot. */
const DRAIN = { rows: 50_000, rounds: 3, snapshotMs: 60_000, timeoutMs: 240_000 };
const DRAIN_TARGETS = { bareQueue: { atLeast: 0.5 }, snapshot: { atLeast: 0.9 } };

/** Posts into a Hub, their recipients, and requests of others: before a post, and in each block until all are notified. */
const POST = {
  posts: 3,
  recipients: 100_000,
  requestsBefore: 8_000,
  requestsMeanwhile: 4_000,
  timeoutMs: 120_000,
};
const POST_TARGETS = { answerMs: { atMost: 100 }, seconds: { atMost: 10 } };

/** Streams that wait for a signal each, a third of them without other load, and follows of others per second. */
const SIGNALS = { streams: 300, perSecond: 15, writesPerSecond: 1_000, warmUpMs: 3_000, timeoutMs: 10_000 };
const SIGNALS_TARGET = { atMost: 300 };

/** Reads inboxes by the SQL that the gateway sends, on one connection. */
async function readInboxes(world: World): Promise<void> {
  const database = await world.createDatabase();
  await addInboxes(database, [UNREAD, NONE_UNREAD, READ], INBOX.hubs);
  await withClient(database.urlAs('opine_gateway'), async (client) => {
    const page = (title: string, inbox: Inbox, args = {}) =>
      timed(title, async () => {
        const answer = await callGateway(client, 'list_notifications', inbox.user, args);
        const unread = inbox.isRead ? 0 : inbox.count;
        const isFull = answer.includes('"read": ') && !answer.includes('"nextCursor": null');
        if (!isFull || !answer.includes(`"unreadCount": ${unread}`)) {
          throw new Error(`unexpected answer: ${title}`);
        }
      });
    const badge = (title: string, inbox: Inbox) =>
      timed(title, () => callGateway(client, 'stream_notifications', inbox.user, {}));
    const baseline = page('GET /notifications, none unread', NONE_UNREAD);
    const [unread, read] = [`${UNREAD.count} unread`, `${READ.count} read`];
    const ratios: Ratio[] = [
      [page(`GET /notifications, ${unread}`, UNREAD), baseline, INBOX.target],
      [page('the same, unreadOnly', UNREAD, { unreadOnly: true }), baseline],
      [page(`GET /notifications, ${read}`, READ), baseline],
      [
        badge(`unreadCount and inboxVersion, ${unread}`, UNREAD),
        badge('the same, none unread', NONE_UNREAD),
        INBOX.target,
      ],
    ];
    const resultsOf = await measureRounds([variantsIn(ratios)], {
      name: 'notifications: inbox',
      rounds: INBOX.rounds,
      passes: INBOX.passes,
    });
    printRatios({ unit: 'milliseconds in Postgres', column: 'median', digits: 2 }, ratios, resultsOf);
  });
}

const secrets = createSecrets(HASH_SECRET);

/**
 * Drains the outbox by the worker's tasks with their intervals, into a push service that accepts everything.
 * @returns seconds until the last push is sent
 * @throws Error if a task fails or a push is not sent
 */
async function drainOutbox(db: Kysely<DB>): Promise<number> {
  const done = Promise.withResolvers<void>();
  let sent = 0;
  const sender: PushSender = {
    send: async (pushes) => {
      sent += pushes.length;
      if (sent >= DRAIN.rows) done.resolve();
      return pushes.map(() => ({ outcome: 'sent' }));
    },
    close: async () => {},
  };
  const log = createLog('warn', (line) => done.reject(new Error(line)));
  const ended = new AbortController();
  const began = performance.now();
  const dispatch = createDispatch(db, sender, secrets, log, UNWATCHED.meters);
  const tasks = [deliverOutbox(db, dispatch), pushToDevices(db, dispatch)];
  const worker = startWorker(tasks, lookInto(db), { log, watch: UNWATCHED });
  pause(DRAIN.timeoutMs, undefined, ended)
    .then(() => done.reject(new Error(`${sent} of ${DRAIN.rows} pushes were sent`)))
    .catch(() => {});
  try {
    await done.promise;
  } finally {
    ended.abort();
    await worker.stop();
    await dispatch.idle();
  }
  return (performance.now() - began) / 1000;
}

const BARE_DRAIN = `
delete from bare_queue
where id in (select q.id from bare_queue as q order by q.id limit 100 for update skip locked)
returning *`;

/** Drains the outbox after a bare queue of as many rows, and beside a snapshot that is older than every row. */
async function drainOutboxes(world: World): Promise<void> {
  const database = await world.createDatabase();
  await addDevices(database, secrets);
  await using parts = new AsyncDisposableStack();
  const client = await connect(database.superuserUrl, parts);
  const listener = await connect(database.urlAs('opine_gateway'), parts);
  await listener.query('listen opine_signals');
  const db = openWorkerDatabase(database.urlAs('opine_worker'), () => {});
  parts.defer(() => db.destroy());
  const drain = async () => {
    const seconds = await drainOutbox(db);
    const { rows } = await client.query<{ left: string }>(
      'select (select count(*) from app.outbox) + (select count(*) from app.pushes) as left',
    );
    if (rows[0]?.left !== '0') throw new Error(`${rows[0]?.left} rows are left in the outbox`);
    return seconds;
  };
  const bare: Variant = {
    title: 'a bare queue, seconds',
    measure: async () => {
      await fillOutbox(client, DRAIN.rows);
      const began = performance.now();
      while ((await client.query(BARE_DRAIN)).rowCount !== 0);
      return (performance.now() - began) / 1000;
    },
  };
  const outbox: Variant = { title: 'the outbox', measure: drain };
  const options = { name: 'notifications: drain', rounds: DRAIN.rounds };
  const resultsOf = await measureRounds([[bare, outbox]], options);
  const holder = await connect(database.superuserUrl, parts);
  await holder.query('begin isolation level repeatable read');
  await holder.query('select count(*) from app.outbox');
  const besideSnapshot: number[] = [];
  while (1000 * sum(besideSnapshot) < DRAIN.snapshotMs) {
    await fillOutbox(client, DRAIN.rows);
    besideSnapshot.push(await drain());
    print(`notifications: drain beside an old snapshot: ${besideSnapshot.at(-1)?.toFixed(1)} s`);
  }
  await holder.query('commit');
  const [bareSeconds, seconds] = [resultsOf(bare).flat(), resultsOf(outbox).flat()];
  const rateOf = (times: readonly number[]) => (DRAIN.rows * times.length) / sum(times);
  const rate = (times: readonly number[]) => rateOf(times).toFixed(0);
  const byBare = byRound(resultsOf(bare), resultsOf(outbox));
  const byItself = besideSnapshot.map((time) => DRAIN.rows / time / rateOf(seconds));
  printTable(
    ['outbox rows a second', 'rate', 'baseline', 'rate', 'ratio', 'lowest to highest', 'target'],
    [
      [
        ...['published and pushed', rate(seconds), 'a bare queue', rate(bareSeconds)],
        ...ratioCells(median(byBare), byBare, DRAIN_TARGETS.bareQueue),
      ],
      [
        ...['published and pushed, beside an old snapshot', rate(besideSnapshot)],
        ...['without it', rate(seconds)],
        ...ratioCells(rateOf(besideSnapshot) / rateOf(seconds), byItself, DRAIN_TARGETS.snapshot),
      ],
    ],
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A measurement without a baseline: title, values, target, and digits. */
type Figure = readonly [
  title: string,
  values: readonly number[],
  target?: Target | undefined,
  digits?: number,
];

const reading = (count: number): Requests => ({
  title: 'GET /posts/{id}',
  count,
  status: 200,
  answerHolds: '"canComment" : false',
  request: (n) => ({ method: 'GET', path: `/posts/${idOf(n % POSTS)}` }),
});

/** Posts into a large Hub through the API, whose worker notifies its members while others read. */
async function postIntoHub(world: World): Promise<Figure[]> {
  const database = await world.createDatabase();
  await addPeople(database, POST.recipients + 1);
  await using api = await startApi(world, database);
  return await withClient(database.superuserUrl, async (client) => {
    const posts: Awaited<ReturnType<typeof measurePost>>[] = [];
    for (let number = 0; number <= POST.posts; number += 1) {
      const post = await measurePost(client, api, number);
      if (number === 0) continue;
      posts.push(post);
      const [answer, notified] = [post.answerMs.toFixed(0), post.notifiedSeconds.toFixed(1)];
      print(`notifications: post ${number}: ${answer} ms, ${notified} s`);
    }
    const all = (figureOf: (post: (typeof posts)[number]) => number) => posts.map(figureOf);
    return [
      [
        `ms until a post for ${POST.recipients} is answered`,
        all((post) => post.answerMs),
        POST_TARGETS.answerMs,
      ],
      [
        's until all of them have it in their inbox',
        all((post) => post.notifiedSeconds),
        POST_TARGETS.seconds,
      ],
      ['s until the outbox is empty', all((post) => post.drainedSeconds)],
      ['GET /posts/{id} a second before', all((post) => post.rateBefore)],
      ['GET /posts/{id} a second until all have it', all((post) => post.rateMeanwhile)],
      [
        'the latter relative to the former',
        all((post) => post.rateMeanwhile / post.rateBefore),
        undefined,
        2,
      ],
    ];
  });
}

/** Measures one post. Seconds count from its request, and rates are requests of others per second. */
async function measurePost(client: pg.Client, api: Api, number: number) {
  const rateBefore = await api.rate(reading(POST.requestsBefore), 0);
  const began = performance.now();
  const msSince = () => performance.now() - began;
  const { data: post } = await api.send<{ readonly id: string }>({
    method: 'POST',
    path: '/posts',
    user: 0,
    body: {
      thoughtText: `The bakery moves to the corner, part ${number}.`,
      visibility: 'private_locked_hub',
      hubIds: [idOf(HUB)],
    },
  });
  const answerMs = msSince();
  let areNotified = false;
  const notifying = becomesTrue(client, 'not exists (select from app.fan_outs)').then(() => {
    areNotified = true;
    return msSince();
  });
  const rates: number[] = [];
  // The last block may end later, and counts only if it is the first.
  while (!areNotified) {
    const rate = await api.rate(reading(POST.requestsMeanwhile), 0);
    if (!areNotified || rates.length === 0) rates.push(rate);
  }
  const notifiedMs = await notifying;
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = $1',
    [post.id],
  );
  if (rows[0]?.count !== String(POST.recipients)) {
    throw new Error(`${rows[0]?.count} of ${POST.recipients} people were notified`);
  }
  await becomesTrue(client, 'not exists (select from app.outbox)');
  return {
    answerMs,
    notifiedSeconds: notifiedMs / 1000,
    drainedSeconds: msSince() / 1000,
    rateBefore,
    rateMeanwhile: median(rates),
  };
}

async function becomesTrue(client: pg.Client, condition: string): Promise<void> {
  const deadline = Date.now() + POST.timeoutMs;
  while (Date.now() < deadline) {
    const { rows } = await client.query<{ is_true: boolean }>(`select ${condition} as is_true`);
    if (rows[0]?.is_true) return;
    await pause(50);
  }
  throw new Error(`the condition did not become true: ${condition}`);
}

type Listener = Awaited<ReturnType<typeof listen>>;

/** Opens a stream through the API and waits until it is ready. */
async function listen({ port, tokenOf }: Api, user: number) {
  const request = http.get({
    host: '127.0.0.1',
    port,
    agent: false,
    path: '/api/v1/notifications/stream',
    headers: { accept: 'text/event-stream', authorization: `Bearer ${await tokenOf(user)}` },
  });
  const [answer]: http.IncomingMessage[] = await once(request, 'response');
  if (answer?.statusCode !== 200) throw new Error(`a stream was answered with ${answer?.statusCode}`);
  const ready = Promise.withResolvers<void>();
  const signalled = Promise.withResolvers<number>();
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const now = performance.now();
    text += chunk;
    if (text.includes('event: ready')) ready.resolve();
    if (text.includes('event: notification')) signalled.resolve(now);
  });
  answer.once('error', () => {});
  await ready.promise;
  return {
    /** When the first signal came, by `performance.now`. */
    signalled: signalled.promise,
    close: () => request.destroy(),
  };
}

/** Times signals on open streams from the answer of the follow, with and without writes of others. */
async function timeSignals(world: World): Promise<Figure[]> {
  const database = await world.createDatabase();
  await addPeople(database, USERS);
  await using api = await startApi(world, database);
  const listeners: Listener[] = [];
  for (let user = 0; user < SIGNALS.streams; user += 1) listeners.push(await listen(api, user));
  try {
    const quiet = await signalTimes(api, listeners.slice(0, SIGNALS.streams / 3), 0);
    const args = [database.urlAs('opine_gateway'), String(SIGNALS.writesPerSecond)];
    await using writers = startChild('scenarios/notifications-writers.ts', { args });
    const written = () => writers.request<number>({});
    await pause(SIGNALS.warmUpMs);
    const [before, since] = [await written(), performance.now()];
    const busy = await signalTimes(api, listeners.slice(SIGNALS.streams / 3), SIGNALS.streams / 3);
    const writes = ((await written()) - before) / ((performance.now() - since) / 1000);
    print(`notifications: ${busy.length} signals beside ${writes.toFixed(0)} writes a second`);
    return [
      [`ms until a signal, ${writes.toFixed(0)} writes a second`, busy, SIGNALS_TARGET],
      ['its 95th percentile', [quantile(busy, 0.95)]],
      ['ms until a signal, no other load', quiet],
    ];
  } finally {
    for (const listener of listeners) listener.close();
  }
}

/** Follows each listener once. Returns the milliseconds until each signal. */
async function signalTimes(api: Api, listeners: readonly Listener[], first: number): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (const [place, listener] of listeners.entries()) {
    const followed = first + place;
    const path = `/users/${idOf(followed)}/follow`;
    const sent = api.send({ method: 'POST', path, user: USERS - 1 - followed });
    times.push(sent.then(async ({ answeredAt }) => (await listener.signalled) - answeredAt));
    await pause(1000 / SIGNALS.perSecond);
  }
  const all = await Promise.race([Promise.all(times), pause(SIGNALS.timeoutMs, null, { ref: false })]);
  if (all === null) throw new Error('a signal did not arrive');
  return all;
}

/** Reads inboxes, drains the outbox, notifies a large Hub, and times signals on streams. */
export async function notifications(world: World): Promise<void> {
  await readInboxes(world);
  await drainOutboxes(world);
  const figures = [...(await postIntoHub(world)), ...(await timeSignals(world))];
  printTable(
    ['what', 'median', 'lowest to highest', 'target'],
    figures.map(([title, values, target, digits = 1]) => {
      const middle = median(values);
      return [title, middle.toFixed(digits), span(values, digits), verdict(middle, target, String)];
    }),
  );
}
