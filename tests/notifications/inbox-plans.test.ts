import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settle } from '../../scripts/bench/settle.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { keepAutovacuumAway } from '../support/autovacuum.ts';
import { idsOf } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf } from '../support/hubs.ts';
import { hasMany, mostPagesRead } from '../support/inbox-audiences.ts';
import { badgeOf, comments, inboxPage } from '../support/inbox-pagination.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

/** How many notifications each inbox has that are seen and unread: more than a page. */
const OWN = 40;

/** How many times as many pages may be read where much lies behind those as where nothing does. */
const SMALL_MULTIPLE = 2;

// From the sixth time on, Postgres may choose a plan that is to fit every inbox.
const OFTEN = 8;

const MANY = ['100,000 unread', '50,000 of a Hub that was left'] as const;

type Kind = 'nothing' | (typeof MANY)[number];

let opine: Opine;

/** One inbox of each kind. */
let readers: ReadonlyMap<Kind, Person>;

beforeAll(async () => {
  opine = await startOpine();
  await keepAutovacuumAway(opine.database);
  const [amara, jonas] = [await aHubReady(opine, 'Amara'), await aRegistered(opine, 'Jonas')];
  const hub = await aHub(amara, { name: 'Left' });
  const post = await aHubPost(amara, [hub]);
  const people = new Map<Kind, Person>();
  for (const kind of ['nothing', ...MANY] as const) {
    const person = await aMemberOf(opine, amara, await aHub(amara, { name: 'Kept' }), 'Reader');
    people.set(kind, person);
    await comments(jonas, await aThought(person), OWN);
  }
  readers = people;
  const ofFollowers = { type: 'user_followed', actor: jonas, count: 100_000, ago: '1 day' };
  await hasMany(opine, reader('100,000 unread'), ofFollowers);
  // Newer than all that is seen: whoever looked for that among these would look at all of them.
  const ofHub = { type: 'hub_post_created', actor: amara, hub, post, count: 50_000, ago: '-1 day' };
  await hasMany(opine, reader('50,000 of a Hub that was left'), ofHub);
  // The worker would, in a few seconds.
  await sql`select app.fold_inbox_counts()`.execute(opine.database.superuser);
  await withClient(opine.database.superuserUrl, settle);
}, 120_000);

afterAll(() => opine.stop());

function reader(kind: Kind): Person {
  const person = readers.get(kind);
  if (person === undefined) throw new Error(`There is no inbox of ${kind}.`);
  return person;
}

const repeat = (args: object) => Array.from({ length: OFTEN }, () => args);

const listed = (kind: Kind, args: object) =>
  mostPagesRead(opine, reader(kind), 'list_notifications', repeat({ limit: 30, ...args }));

describe.each(MANY)('with %s', (kind) => {
  test.each([
    ['a page', {}],
    ['a page of what is unread', { unreadOnly: true }],
    ['the badge, and the newest', { limit: 1 }],
    ['a longer page', { limit: OWN }],
  ])('%s takes no more to read', async (_, args) => {
    const few = await listed('nothing', args);
    expect(await listed(kind, args)).toBeLessThan(few * SMALL_MULTIPLE);
  });

  test('the second page takes no more to read', async () => {
    const second = async (of: Kind) => {
      const { nextCursor: cursor } = await inboxPage(reader(of), { limit: 5 });
      return listed(of, { cursor });
    };
    expect(await second(kind)).toBeLessThan((await second('nothing')) * SMALL_MULTIPLE);
  });

  test('to mark one takes no more to read', async () => {
    const markOf = async (of: Kind) => {
      const { items } = await inboxPage(reader(of), { limit: OFTEN });
      const requests = idsOf(items).map((notificationId) => ({ notificationId }));
      return mostPagesRead(opine, reader(of), 'mark_notifications_read', requests);
    };
    expect(await markOf(kind)).toBeLessThan((await markOf('nothing')) * SMALL_MULTIPLE);
  });
});

test('a page deep in an inbox takes no more to read than the first', async () => {
  const walker = reader('100,000 unread');
  let cursor: string | null = null;
  for (let page = 0; page < 30; page += 1) {
    cursor = (await inboxPage(walker, { limit: 100, ...(cursor !== null && { cursor }) })).nextCursor;
  }
  const first = await listed('100,000 unread', {});
  expect(await listed('100,000 unread', { cursor })).toBeLessThan(first * SMALL_MULTIPLE);
});

test('what lies there is counted, and what is hidden is not', async () => {
  const ids = idsOf([reader('100,000 unread'), reader('50,000 of a Hub that was left')]);
  const { rows } = await sql<{ unread: number }>`
    select (
      select count(*)::integer from app.notifications as n join app.events as e on e.id = n.event_id
      where n.recipient_id = person.id and n.read_at is null and e.type <> 'hub_post_created'
    ) as unread
    from unnest(${ids}::uuid[]) with ordinality as person (id, place) order by place
  `.execute(opine.database.superuser);
  const badges = await Promise.all(MANY.map((kind) => badgeOf(reader(kind))));
  expect(badges).toEqual(rows.map(({ unread }) => unread));
  expect(badges[0]).toBeGreaterThan(100_000);
  expect(badges[1]).toBeLessThan(50_000);
});
