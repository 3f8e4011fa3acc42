import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { pruneNotifications } from '../../src/worker/tasks.ts';
import { expectOk, type Json } from '../support/client.ts';
import { block, follow } from '../support/graph.ts';
import { inboxOf, insertNotifications, notificationsOf, requestMarkAllRead } from '../support/inbox.ts';
import { advanceTime, anOpine, type Opine, testEnvironment, type WithDatabase } from '../support/opine.ts';
import { confirmedPerson, type Person, signedInAfter } from '../support/people.ts';
import { WORKER_TIMEOUT, withWorkerDatabase } from '../support/worker.ts';

const prune = ({ database }: WithDatabase, days: number) =>
  withWorkerDatabase(database, (db) => pruneNotifications(db, days).run(new AbortController().signal));

async function rowsOf({ database }: WithDatabase, table: string): Promise<Json[]> {
  return (await sql<Json>`select * from ${sql.table(table)}`.execute(database.superuser)).rows;
}

const actorsIn = (items: readonly Json[]): string[] => items.map(({ actor }) => actor.id);

// docs/product.md N32
test('the worker deletes notifications after NOTIFICATIONS_KEEP_DAYS, and unread count and version follow', async () => {
  const opine = await anOpine();
  const [maya, jonas, noor] = [
    await confirmedPerson(opine, 'Maya'),
    await confirmedPerson(opine, 'Jonas'),
    await confirmedPerson(opine, 'Noor'),
  ];
  await follow(jonas, maya);
  const [later, noorLater] = await signedInAfter(opine, '20 days', maya, noor);
  await follow(noorLater, later);
  const before = await inboxOf(later);
  expect(actorsIn(before.items)).toEqual([noor.id, jonas.id]);
  const [reader] = await signedInAfter(opine, '11 days', later);
  const worker = await startServer({
    ...testEnvironment(opine.database),
    PROCESS: 'worker',
    NOTIFICATIONS_KEEP_DAYS: '30',
  });
  onTestFinished(() => worker.stop());
  await expect.poll(async () => (await inboxOf(reader)).unreadCount, WORKER_TIMEOUT).toBe(1);
  await expect.poll(() => rowsOf(opine, 'app.events'), WORKER_TIMEOUT).toHaveLength(1);
  const after = await inboxOf(reader);
  expect(actorsIn(after.items)).toEqual([noor.id]);
  expect(after.inboxVersion).toBeGreaterThan(before.inboxVersion);
  expect((await expectOk(reader.get('/users/me/export'))).notifications).toHaveLength(1);
});

// docs/product.md N32
test('without NOTIFICATIONS_KEEP_DAYS there is no age, and one of 0 or 3651 days is refused', async () => {
  const { database } = await anOpine();
  const daysOf = (days?: string) =>
    readConfig({
      ...testEnvironment(database),
      ...(days !== undefined && { NOTIFICATIONS_KEEP_DAYS: days }),
    }).NOTIFICATIONS_KEEP_DAYS;
  expect([daysOf(), daysOf(''), daysOf('1'), daysOf('3650')]).toEqual([undefined, undefined, 1, 3650]);
  for (const days of ['0', '3651', '1.5', 'x'])
    expect(() => daysOf(days)).toThrow('NOTIFICATIONS_KEEP_DAYS must be a whole number from 1 to 3650');
});

async function anOldInbox(opine: Opine, count: number): Promise<{ maya: Person; jonas: Person }> {
  const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
  await insertNotifications(opine, maya, { type: 'user_followed', actor: jonas, count, ago: '0' });
  return { maya, jonas };
}

test('one run deletes more notifications and events than a batch has', async () => {
  const opine = await anOpine();
  await anOldInbox(opine, 12_000);
  await advanceTime(opine, '2 days');
  await prune(opine, 1);
  for (const table of ['app.notifications', 'app.events']) expect(await rowsOf(opine, table)).toEqual([]);
});

test('runs beside marking, deliveries and new follows lose no count and meet no deadlock', async () => {
  const opine = await anOpine();
  const { maya } = await anOldInbox(opine, 6_000);
  const [reader] = await signedInAfter(opine, '2 days', maya);
  const followers: Person[] = [];
  for (let count = 0; count < 8; count += 1) followers.push(await confirmedPerson(opine));
  await Promise.all([
    prune(opine, 1),
    prune(opine, 1),
    ...followers.map((follower) => follow(follower, reader)),
    ...Array.from({ length: 6 }, async () => expectOk(requestMarkAllRead(reader))),
  ]);
  await prune(opine, 1);
  const { items, unreadCount } = await inboxOf(reader, '?limit=100');
  expect(actorsIn(items).toSorted()).toEqual(followers.map(({ id }) => id).toSorted());
  expect(unreadCount).toBe(items.filter(({ read }: Json) => !read).length);
  await expectOk(requestMarkAllRead(reader));
  expect((await inboxOf(reader)).unreadCount).toBe(0);
});

test('old notifications that a block hides are deleted too, and the unread count stays exact when it ends', async () => {
  const opine = await anOpine();
  const { maya, jonas } = await anOldInbox(opine, 3);
  await block(maya, jonas);
  const [reader] = await signedInAfter(opine, '2 days', maya);
  await prune(opine, 1);
  await expectOk(reader.delete(`/users/${jonas.id}/block`));
  expect(await inboxOf(reader)).toMatchObject({ items: [], unreadCount: 0 });
});

test('queues drop the deliveries of deleted notifications', async () => {
  const opine = await anOpine();
  const { maya } = await anOldInbox(opine, 2);
  const [{ id }] = (await notificationsOf(maya)) as [Json];
  await sql`insert into app.pushes (notification_id, token_hash) values (${id}, sha256('a device'))`.execute(
    opine.database.superuser,
  );
  await advanceTime(opine, '2 days');
  await prune(opine, 1);
  await withWorkerDatabase(opine.database, async (db) => {
    await sql`select app.deliver_outbox('00000000-0000-0000-0000-000000000000', 100, 100)`.execute(db);
    await sql`select app.claim_pushes(100)`.execute(db);
  });
  for (const table of ['app.outbox', 'app.pushes', 'app.push_leases', 'app.dead_letters'])
    expect([table, await rowsOf(opine, table)]).toEqual([table, []]);
});
