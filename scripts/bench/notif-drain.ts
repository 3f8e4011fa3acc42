import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { createSecrets, type Secrets } from '../../src/auth/secrets.ts';
import type { DB } from '../../src/db/types.ts';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createLog } from '../../src/log.ts';
import { UNWATCHED } from '../../src/observability/watch.ts';
import type { PushSender } from '../../src/push/push.ts';
import { createDispatch } from '../../src/worker/dispatch.ts';
import { publishSignals, pushToDevices } from '../../src/worker/tasks.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { addDevices, checkDrained, fillOutbox } from './notif-outbox.ts';
import { type Drained, drainTable } from './notif-report.ts';
import { DRAIN_ROUNDS, DRAINED, HELD_MS } from './notif-sizes.ts';
import type { World } from './world.ts';

const TIMEOUT_MS = 240_000;
const SECRET = 'a secret of benchmarks, long enough to be one';

const BARE_STEP = `
delete from bare_queue
where id in (select q.id from bare_queue as q order by q.id limit 100 for update skip locked)
returning *`;

/**
 * Drains the outbox, by the worker's own tasks in their own rhythm, into a push service that takes everything.
 * @returns seconds until the last is settled
 * @throws Error where a task fails, or something is not sent
 */
async function drain(db: Kysely<DB>, secrets: Secrets): Promise<number> {
  const done = Promise.withResolvers<void>();
  let sent = 0;
  const sender: PushSender = {
    send: async (pushes) => {
      sent += pushes.length;
      if (sent >= DRAINED) done.resolve();
      return pushes.map(() => ({ outcome: 'sent' }));
    },
    close: async () => {},
  };
  const log = createLog('warn', (line) => done.reject(new Error(line)));
  const ended = new AbortController();
  const begun = performance.now();
  const dispatch = createDispatch(db, sender, secrets, log, UNWATCHED.meters);
  const worker = startWorker([publishSignals(db, dispatch), pushToDevices(db, dispatch)], {
    log,
    watch: UNWATCHED,
  });
  pause(TIMEOUT_MS, undefined, ended)
    .then(() => done.reject(new Error(`${sent} of ${DRAINED} were sent`)))
    .catch(() => {});
  try {
    await done.promise;
  } finally {
    ended.abort();
    await worker.stop();
    await dispatch.idle();
  }
  return (performance.now() - begun) / 1000;
}

async function drainBare(client: pg.Client): Promise<number> {
  const begun = performance.now();
  while ((await client.query(BARE_STEP)).rowCount !== 0);
  return (performance.now() - begun) / 1000;
}

async function connect(url: string, parts: AsyncDisposableStack): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  parts.defer(() => client.end());
  return client;
}

/**
 * Drains the outbox again and again: after a bare queue of as many rows, and while another session holds a snapshot
 * that is older than every row.
 * @returns a Markdown table
 */
export async function timeDrains(world: World, print: (text: string) => void): Promise<string> {
  const secrets = createSecrets(SECRET);
  const database = await world.createDatabase();
  await addDevices(database, secrets);
  await using parts = new AsyncDisposableStack();
  const client = await connect(database.superuserUrl, parts);
  const listener = await connect(database.urlAs('opine_gateway'), parts);
  await listener.query('listen opine_signals');
  const db = openWorkerDatabase(database.urlAs('opine_worker'), () => {});
  parts.defer(() => db.destroy());
  const rounds: Drained = { rows: DRAINED, bare: [], alone: [], besideSnapshot: [] };
  const timeDrain = async () => {
    const seconds = await drain(db, secrets);
    await checkDrained(client);
    return seconds;
  };
  for (let number = 0; number <= DRAIN_ROUNDS; number += 1) {
    await fillOutbox(client, DRAINED);
    const [bare, alone] = [await drainBare(client), await timeDrain()];
    if (number === 0) continue;
    rounds.bare.push(bare);
    rounds.alone.push(alone);
    print(`notifications: drain, round ${number}: ${alone.toFixed(1)} s, bare ${bare.toFixed(1)} s`);
  }
  const holder = await connect(database.superuserUrl, parts);
  await holder.query('begin isolation level repeatable read');
  await holder.query('select count(*) from app.outbox');
  const drainedMs = () => 1000 * rounds.besideSnapshot.reduce((sum, seconds) => sum + seconds, 0);
  while (drainedMs() < HELD_MS) {
    await fillOutbox(client, DRAINED);
    const seconds = await timeDrain();
    rounds.besideSnapshot.push(seconds);
    print(`notifications: drain beside an old snapshot: ${seconds.toFixed(1)} s`);
  }
  await holder.query('commit');
  return drainTable(rounds);
}
