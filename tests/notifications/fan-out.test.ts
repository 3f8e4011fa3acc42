import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fanOut } from '../../src/worker/tasks.ts';
import type { Json } from '../support/client.ts';
import { addFollowers, notifiedCount } from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson } from '../support/people.ts';
import { aThought } from '../support/posts.ts';
import { withWorkerDatabase } from '../support/worker.ts';

/** More than two batches of 2,000. */
const FOLLOWERS = 4_100;

let opine: Opine;

beforeAll(async () => {
  // No worker of the server takes batches.
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Publishes a post whose author has `FOLLOWERS` followers, none of whom is notified yet. */
async function aQueuedPost(): Promise<Json> {
  const author = await confirmedPerson(opine);
  await addFollowers(opine, author, FOLLOWERS);
  const post = await aThought(author);
  expect(await notifiedCount(opine, post)).toBe(0);
  return post;
}

const deleteEvents = (post: Json, transaction = opine.database.superuser) =>
  sql`delete from app.events where post_id = ${post.id}`.execute(transaction);

const waitingBatches = async () =>
  (await sql`select from app.fan_outs`.execute(opine.database.superuser)).rows.length;

/** Runs the worker's task once, on connections of its own. */
const runFanOut = () =>
  withWorkerDatabase(opine.database, (db) => fanOut(db).run(new AbortController().signal));

test('the batches of several events notify every follower once, and leave an empty queue', async () => {
  const posts = await Promise.all([aQueuedPost(), aQueuedPost()]);
  await Promise.all([runFanOut(), runFanOut()]);
  expect(await Promise.all(posts.map((post) => notifiedCount(opine, post)))).toEqual([FOLLOWERS, FOLLOWERS]);
  expect(await waitingBatches()).toBe(0);
});

test('an event whose deletion is not committed is passed over without waiting, and other events are notified', async () => {
  const [deleted, kept] = [await aQueuedPost(), await aQueuedPost()];
  await opine.database.superuser.transaction().execute(async (transaction) => {
    await deleteEvents(deleted, transaction);
    await runFanOut();
  });
  expect(await Promise.all([deleted, kept].map((post) => notifiedCount(opine, post)))).toEqual([
    0,
    FOLLOWERS,
  ]);
  expect(await waitingBatches()).toBe(0);
});

test('the deletion of an event waits for the batch that is being notified, and removes its notifications', async () => {
  const post = await aQueuedPost();
  await opine.database.superuser.transaction().execute(async (transaction) => {
    const notifyBatch = () => sql`select app.fan_out()`.execute(transaction);
    await notifyBatch();
    await notifyBatch();
    const refused = opine.database.superuser.transaction().execute(async (other) => {
      await sql`set local lock_timeout = '100ms'`.execute(other);
      await deleteEvents(post, other);
    });
    await expect(refused).rejects.toMatchObject({ code: '55P03' });
  });
  expect(await notifiedCount(opine, post)).toBe(2_000);
  await deleteEvents(post);
  expect(await notifiedCount(opine, post)).toBe(0);
  expect(await waitingBatches()).toBe(0);
});
