import type pg from 'pg';
import { withClient } from '../local/connection.ts';
import { PHOTOS_URL } from './api.ts';
import { claimsOf } from './bearers.ts';
import { type Held, heldTable } from './feed-report.ts';
import { type Timed, timeInTurn } from './feed-times.ts';
import { addPeople, HUB, ID_OF } from './notif-people.ts';
import { INBOX, INBOX_HUBS, SMALL_INBOX } from './notif-sizes.ts';
import { POSTS, USERS } from './population.ts';
import { settle } from './settle.ts';
import type { Database, World } from './world.ts';

const TARGET = 1.5;

/** Whose inboxes are read, by their numbers. */
const OWNERS = [
  { user: 0, count: INBOX, isRead: false },
  { user: 1, count: SMALL_INBOX, isRead: true },
  { user: 2, count: INBOX, isRead: true },
] as const;
const [UNREAD, NONE, READ] = OWNERS;

type Owner = (typeof OWNERS)[number];

const EVENTS = `
set synchronous_commit = off;
set session_replication_role = replica;
${ID_OF}
insert into app.hubs (id, name, member_count)
select pg_temp.id_of(hub), 'Neighbours of street ' || hub, ${OWNERS.length}
from generate_series(${HUB + 1}, ${HUB + INBOX_HUBS - 1}) as hub;

insert into app.memberships (hub_id, user_id, role)
select pg_temp.id_of(hub), pg_temp.id_of(user_number), 'member'
from generate_series(${HUB + 1}, ${HUB + INBOX_HUBS - 1}) as hub, unnest(array[${OWNERS.map(({ user }) => user)}]) as user_number;

-- Every other one is a follow, the others are posts in one's Hubs.
insert into app.events (id, type, actor_id, hub_id, post_id, occurred_at)
select
  pg_temp.id_of(n), (case n % 2 when 0 then 'user_followed' else 'hub_post_created' end)::app.event_type,
  pg_temp.id_of(${OWNERS.length} + n % ${USERS - OWNERS.length}),
  case n % 2 when 1 then pg_temp.id_of(${HUB} + n / 2 % ${INBOX_HUBS}) end,
  case n % 2 when 1 then pg_temp.id_of(n % ${POSTS}) end,
  now() - n * interval '1 second'
from generate_series(0, ${INBOX - 1}) as n;
`;

// Under the triggers, which count what is unread.
const notificationsOf = ({ user, count, isRead }: Owner) => `
insert into app.notifications (event_id, recipient_id, audience, scope_id, actor_id, created_at, read_at)
select
  e.id, owner.id, (case when e.hub_id is null then 'everybody' else 'hub_member' end)::app.audience,
  coalesce(e.hub_id, owner.id), e.actor_id, e.occurred_at, ${isRead ? 'now()' : 'null'}
from app.events as e, (select pg_temp.id_of(${user}) as id) as owner
where e.id < pg_temp.id_of(${count});
`;

async function fill({ superuserUrl }: Database): Promise<void> {
  await addPeople(superuserUrl, USERS);
  await withClient(superuserUrl, async (client) => {
    await client.query(EVENTS);
    await client.query('set session_replication_role = origin');
    for (const owner of OWNERS) await client.query(notificationsOf(owner));
    await client.query('truncate app.outbox');
    await client.query('select app.fold_inbox_counts()');
    await settle(client);
  });
}

/**
 * Times reading the inbox by the SQL that the gateway sends, on one connection.
 * @returns a Markdown table
 */
export async function timeInboxes(world: World, print: (text: string) => void): Promise<string> {
  const database = await world.createDatabase();
  await fill(database);
  return withClient(database.urlAs('opine_gateway'), async (client) => {
    const held = readingsBy(client);
    const all = [...new Set(held.flatMap(({ timed, against }) => [timed, against]))];
    const times = await timeInTurn([all], (number) => print(`notifications: inbox, round ${number}`));
    return heldTable(held, times);
  });
}

function readingsBy(client: pg.Client): Held[] {
  const ask = async (operation: string, user: number, args: object) => {
    const { rows } = await client.query<{ answer: string }>(
      `select answer from gateway.call('caller', $1, $3, $2, false, $4)`,
      [operation, claimsOf(user), args, PHOTOS_URL],
    );
    return rows[0]?.answer ?? '';
  };
  const reading = (title: string, { user, count, isRead }: Owner, args = {}): Timed => ({
    title,
    run: async () => {
      const answer = await ask('list_notifications', user, args);
      const isWhole = answer.includes('"read": ') && answer.includes(`"unreadCount": ${isRead ? 0 : count}`);
      if (!isWhole || answer.includes('"nextCursor": null')) throw new Error(`${title}: not what is there`);
    },
  });
  const badge = (title: string, { user }: Owner): Timed => ({
    title,
    run: () => ask('stream_notifications', user, {}),
  });
  const none = reading('GET /notifications, none unread', NONE);
  const unread = reading(`GET /notifications, ${INBOX} unread`, UNREAD);
  const unreadOnly = reading('the same, unreadOnly', UNREAD, { unreadOnly: true });
  const read = reading(`GET /notifications, ${INBOX} read`, READ);
  return [
    { timed: unread, against: none, target: TARGET },
    { timed: unreadOnly, against: none },
    { timed: read, against: none },
    {
      timed: badge(`unreadCount and inboxVersion, ${INBOX} unread`, UNREAD),
      against: badge('the same, none unread', NONE),
      target: TARGET,
    },
  ];
}
