import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../src/server.ts';
import { type Json, refusal } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { follow } from '../support/graph.ts';
import { inboxOf, notificationsOf } from '../support/inbox.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { PARTITIONED_TABLES, partitionTables } from '../support/plans.ts';
import { aSlider } from '../support/posts.ts';
import { openReadyStream, signalFor } from '../support/streams.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;
let worker: Server;
let maya: Person;
let jonas: Person;
let post: Json;
let before: Json;
/** The rows of notifications before the partitioning. */
let stored: Json[];

async function storedNotifications(): Promise<Json[]> {
  const rows = sql<Json>`select to_jsonb(n) as row from app.notifications as n order by n.id`;
  return (await rows.execute(opine.database.superuser)).rows.map(({ row }) => row);
}

// Rows from before the partitioning have to survive it.
beforeAll(async () => {
  opine = await startOpine();
  [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
  post = await aSlider(maya);
  expect((await castVote(jonas, post, 'right')).status).toBe(201);
  await follow(jonas, maya);
  await jonas.post(`/posts/${post.id}/comments`, { text: 'So it is.' });
  await sql`
    insert into app.dead_letters (notification_id, attempt_count, failure)
    select id, 10, 'of tests' from app.notifications`.execute(opine.database.superuser);
  before = await inboxOf(maya);
  expect(before.items).toHaveLength(2);
  // As of a reply in a thread of somebody else's.
  await sql`update app.notifications set thread_author_id = ${jonas.id} where author_id is null`.execute(
    opine.database.superuser,
  );
  stored = await storedNotifications();
  before = await inboxOf(maya);
  await partitionTables(opine.database);
  worker = await startServer({ ...testEnvironment(opine.database), PROCESS: 'worker' });
});

afterAll(async () => {
  await worker?.stop();
  await opine?.stop();
});

/** Counts the receipts and notifications of a post, and all dead letters. */
async function countsAbout({ id }: Json): Promise<Json> {
  const { rows } = await sql<Json>`
    with notified as (
      select n.id from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = ${id}
    )
    select
      (select count(*)::integer from app.vote_receipts where post_id = ${id}) as receipts,
      (select count(*)::integer from notified) as notifications,
      (select count(*)::integer from app.dead_letters) as letters`.execute(opine.database.superuser);
  return rows[0];
}

describe('partitioned receipts and notifications', () => {
  test('each table has 16 partitions', async () => {
    const { rows } = await sql`
      select parted.relname from pg_inherits as i join pg_class as parted on parted.oid = i.inhparent
      where parted.relname = any (${PARTITIONED_TABLES})`.execute(opine.database.superuser);
    expect(rows).toHaveLength(16 * PARTITIONED_TABLES.length);
  });

  test('votes from before and after the partitioning count once and are folded', async () => {
    expect(await castVote(jonas, post, 'left')).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    expect((await castVote(maya, post, 'left')).status).toBe(201);
    await foldAllVotes(opine);
    expect(await countsOf(maya, post)).toEqual([0, 1, 0, 1, 0]);
    expect([(await myVote(jonas, post)).data.hasVoted, (await myVote(maya, post)).data.hasVoted]).toEqual([
      true,
      true,
    ]);
    const { rows } = await sql`select from app.vote_receipts where baseline is not null`.execute(
      opine.database.superuser,
    );
    expect(rows).toHaveLength(2);
  });

  test('a partitioned table has the columns and the indexes of the table that it replaces', async () => {
    const whole = await createTestDatabase();
    try {
      for (const table of PARTITIONED_TABLES) {
        const shapeOf = async ({ superuser }: typeof whole) =>
          (
            await sql<Json>`
              select indexname as name from pg_indexes where schemaname = 'app' and tablename = ${table}
              union all select column_name from information_schema.columns where table_schema = 'app' and table_name = ${table}
              order by 1`.execute(superuser)
          ).rows;
        expect(await shapeOf(opine.database)).toEqual(await shapeOf(whole));
      }
    } finally {
      await whole.drop();
    }
  });

  test('a row keeps every column', async () => {
    expect(await storedNotifications()).toEqual(stored);
    expect(stored.some((row) => row.thread_author_id !== null)).toBe(true);
  });

  test('an inbox keeps its rows, counts, delivers to streams and is marked read', async () => {
    expect(await inboxOf(jonas)).toMatchObject({ items: [], unreadCount: 0 });
    expect(await inboxOf(maya)).toEqual(before);
    const stream = await openReadyStream(opine, maya);
    await jonas.post(`/posts/${post.id}/comments`, { text: 'Or not.' });
    const [newest] = await notificationsOf(maya);
    await signalFor(stream, newest);
    expect((await inboxOf(maya)).unreadCount).toBe(3);
    const { data } = await maya.patch('/notifications/read', { notificationId: newest.id });
    expect(data).toEqual({ updated: 1, unreadCount: 2 });
  });

  test('deleting a post deletes its receipts, notifications and dead letters', async () => {
    const other = await aSlider(maya);
    const { letters } = await countsAbout(other);
    await castVote(jonas, other);
    await jonas.post(`/posts/${other.id}/comments`, { text: 'This too.' });
    const [commented] = await notificationsOf(maya);
    await sql`
      insert into app.dead_letters (notification_id, attempt_count, failure)
      values (${commented.id}, 10, 'of tests')`.execute(opine.database.superuser);
    // Jonas is notified of the post, Maya of the comment.
    expect(await countsAbout(other)).toEqual({ receipts: 1, notifications: 2, letters: letters + 1 });
    expect((await maya.delete(`/posts/${other.id}`)).status).toBe(200);
    expect(await countsAbout(other)).toEqual({ receipts: 0, notifications: 0, letters });
    expect((await inboxOf(maya)).unreadCount).toBe(
      (await notificationsOf(maya)).filter(({ read }) => !read).length,
    );
  });
});
