import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { configureLogging, followPostgresLog } from '../secrecy/logs.ts';
import { expectOk } from '../support/client.ts';
import { contend } from '../support/contending-writers.ts';
import { aHub, aHubPost, join, requestClose, requestLeave } from '../support/hubs.ts';
import { anOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson } from '../support/people.ts';
import { aThought, requestComment } from '../support/posts.ts';
import { countLockWaits } from '../support/races.ts';
import { withWorkerDatabase } from '../support/worker.ts';

const ROUNDS = 60;
const seeds = Array.from({ length: inject('depth') }, (_, index) => index + 1);

test.each(seeds)(
  'concurrent votes, folds, shares, memberships, merges and deletions never deadlock (seed %i)',
  async (seed) => {
    const opine = await anOpine();
    // By its defaults Postgres logs both statements of a deadlock.
    await configureLogging(opine.database);
    const log = followPostgresLog();
    const failures = await contend(opine, ROUNDS, seed);
    const { name } = opine.database;
    const deadlocks = log
      .since()
      .filter(({ database, text }) => database === name && text.startsWith('deadlock detected'));
    expect(deadlocks).toEqual([]);
    expect(failures).toEqual([]);
  },
);

test('a share into a Hub that closes does not wait for the removal of what is in it', async () => {
  const opine = await anOpine({ PROCESS: 'api' });
  const { database } = opine;
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  await aHubPost(amara, [hub]);
  await expectOk(requestClose(amara, hub));
  await withWorkerDatabase(database, async (db) => {
    let removal: Promise<unknown> | undefined;
    await database.superuser.transaction().execute(async (sharing) => {
      await sql`update app.placements set kind = kind where hub_id = ${hub.id}`.execute(sharing);
      removal = sql`select app.remove_closed_hubs()`.execute(db);
      // The await below reports a failure.
      removal.catch(() => {});
      await expect.poll(() => countLockWaits(opine, 'opine_worker')).toBe(1);
      // As the foreign keys of what a share inserts.
      await sql`select from app.hubs where id = ${hub.id} for key share`.execute(sharing);
    });
    await removal;
  });
  const { rows } = await sql`select from app.placements where hub_id = ${hub.id}`.execute(database.superuser);
  expect(rows).toEqual([]);
});

test('a member who leaves a Hub waits for the deletion of a post that they acted on before their activity ends', async () => {
  const opine = await anOpine({ PROCESS: 'api' });
  const { database } = opine;
  const [amara, noor] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Noor')];
  const hub = await aHub(amara);
  await join(amara, hub, [noor]);
  const post = await aThought(amara);
  await expectOk(requestComment(noor, post, { text: 'Indeed.' }));
  let leaving: Promise<unknown> | undefined;
  await database.superuser.transaction().execute(async (deletion) => {
    await sql`select from app.posts where id = ${post.id} for update`.execute(deletion);
    leaving = expectOk(requestLeave(noor, hub));
    // The await below reports a failure.
    leaving.catch(() => {});
    await expect.poll(() => countLockWaits(opine, 'opine_gateway')).toBe(1);
    const { rows } = await sql`
      select from app.feed_events where hub_id = ${hub.id} and kind = 'commented' for update nowait
    `.execute(deletion);
    expect(rows).toHaveLength(1);
    await sql`delete from app.posts where id = ${post.id}`.execute(deletion);
  });
  await leaving;
});

test('the pruning of feeds skips an event that another transaction has locked, and deletes the others', async () => {
  const opine = await anOpine({ PROCESS: 'api' });
  const { superuser } = opine.database;
  const author = await confirmedPerson(opine);
  const [locked, free] = [await aThought(author), await aThought(author)];
  await sql`
    update app.feed_events set ended_at = app.now() - interval '2 days', ended_by = pg_current_xact_id()
  `.execute(superuser);
  await superuser.transaction().execute(async (deletion) => {
    await sql`select from app.feed_events where post_id = ${locked.id} for update`.execute(deletion);
    await superuser.transaction().execute(async (pruning) => {
      await sql`set local lock_timeout = '1s'`.execute(pruning);
      await sql`select app.prune_feeds()`.execute(pruning);
    });
  });
  const { rows } = await sql`
    select post_id as id from app.feed_events where post_id in (${locked.id}, ${free.id})
  `.execute(superuser);
  expect(rows).toEqual([{ id: locked.id }]);
});
