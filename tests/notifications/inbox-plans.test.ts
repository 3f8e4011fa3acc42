import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settle } from '../../scripts/bench/population.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { idsOf } from '../support/client.ts';
import { aHub, aHubPost, aMemberOf } from '../support/hubs.ts';
import {
  addComments,
  inboxPage,
  insertNotifications,
  maxPagesRead,
  unreadCountOf,
} from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { keepAutovacuumAway } from '../support/plans.ts';
import { aThought } from '../support/posts.ts';

/** Visible unread notifications of each inbox: more than a page. */
const OWN = 40;

/** Upper bound of the database pages read in a large inbox, relative to a small one. */
const SMALL_MULTIPLE = 2;

// From the sixth execution on, Postgres may choose a generic plan.
const EXECUTIONS = 8;

const MANY = ['100,000 unread', '50,000 of a Hub that was left'] as const;

type Kind = 'nothing' | (typeof MANY)[number];

let opine: Opine;

/** The owner of one inbox of each kind. */
let readers: ReadonlyMap<Kind, Person>;

beforeAll(async () => {
  opine = await startOpine();
  await keepAutovacuumAway(opine.database);
  const [amara, jonas] = [await hubReadyPerson(opine, 'Amara'), await registeredPerson(opine, 'Jonas')];
  const hub = await aHub(amara, { name: 'Left' });
  const post = await aHubPost(amara, [hub]);
  const people = new Map<Kind, Person>();
  for (const kind of ['nothing', ...MANY] as const) {
    const person = await aMemberOf(opine, amara, await aHub(amara, { name: 'Kept' }), 'Reader');
    people.set(kind, person);
    await addComments(jonas, await aThought(person), OWN);
  }
  readers = people;
  const ofFollowers = { type: 'user_followed', actor: jonas, count: 100_000, ago: '1 day' };
  await insertNotifications(opine, reader('100,000 unread'), ofFollowers);
  // Newer than every visible notification, so that a scan from the newest would read all of them.
  const ofHub = { type: 'hub_post_created', actor: amara, hub, post, count: 50_000, ago: '-1 day' };
  await insertNotifications(opine, reader('50,000 of a Hub that was left'), ofHub);
  // The worker does this every few seconds.
  await sql`select app.fold_inbox_counts()`.execute(opine.database.superuser);
  await withClient(opine.database.superuserUrl, settle);
}, 120_000);

afterAll(() => opine.stop());

function reader(kind: Kind): Person {
  const person = readers.get(kind);
  if (person === undefined) throw new Error(`There is no inbox of ${kind}.`);
  return person;
}

const repeat = (args: object) => Array.from({ length: EXECUTIONS }, () => args);

const listed = (kind: Kind, args: object) =>
  maxPagesRead(opine, reader(kind), 'list_notifications', repeat({ limit: 30, ...args }));

describe.each(MANY)('an inbox with %s', (kind) => {
  test.each([
    ['a page', {}],
    ['a page of unread notifications', { unreadOnly: true }],
    ['the badge and the newest notification', { limit: 1 }],
    ['a longer page', { limit: OWN }],
  ])('reading %s costs less than twice that of a small inbox', async (_, args) => {
    const few = await listed('nothing', args);
    expect(await listed(kind, args)).toBeLessThan(few * SMALL_MULTIPLE);
  });

  test('reading the second page costs less than twice that of a small inbox', async () => {
    const second = async (of: Kind) => {
      const { nextCursor: cursor } = await inboxPage(reader(of), { limit: 5 });
      return listed(of, { cursor });
    };
    expect(await second(kind)).toBeLessThan((await second('nothing')) * SMALL_MULTIPLE);
  });

  test('marking one notification costs less than twice that of a small inbox', async () => {
    const markOf = async (of: Kind) => {
      const { items } = await inboxPage(reader(of), { limit: EXECUTIONS });
      const requests = idsOf(items).map((notificationId) => ({ notificationId }));
      return maxPagesRead(opine, reader(of), 'mark_notifications_read', requests);
    };
    expect(await markOf(kind)).toBeLessThan((await markOf('nothing')) * SMALL_MULTIPLE);
  });
});

test('reading a page deep in an inbox costs less than twice the first page', async () => {
  const owner = reader('100,000 unread');
  let cursor: string | null = null;
  for (let page = 0; page < 30; page += 1) {
    cursor = (await inboxPage(owner, { limit: 100, ...(cursor !== null && { cursor }) })).nextCursor;
  }
  const first = await listed('100,000 unread', {});
  expect(await listed('100,000 unread', { cursor })).toBeLessThan(first * SMALL_MULTIPLE);
});

test('the badge of a large inbox counts the visible notifications only', async () => {
  const ids = idsOf([reader('100,000 unread'), reader('50,000 of a Hub that was left')]);
  const { rows } = await sql<{ unread: number }>`
    select (
      select count(*)::integer from app.notifications as n join app.events as e on e.id = n.event_id
      where n.recipient_id = person.id and n.read_at is null and e.type <> 'hub_post_created'
    ) as unread
    from unnest(${ids}::uuid[]) with ordinality as person (id, place) order by place
  `.execute(opine.database.superuser);
  const badges = await Promise.all(MANY.map((kind) => unreadCountOf(reader(kind))));
  expect(badges).toEqual(rows.map(({ unread }) => unread));
  expect(badges[0]).toBeGreaterThan(100_000);
  expect(badges[1]).toBeLessThan(50_000);
});
