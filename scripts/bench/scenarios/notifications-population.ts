import type pg from 'pg';
import type { Secrets } from '../../../src/auth/secrets.ts';
import { withClient } from '../../local/connection.ts';
import { fill, hubReadySql, ID_OF, idOf, POSTS, USERS, usersSql } from '../population.ts';
import type { Database } from '../world.ts';

/** The number of the Hub of all people. */
export const HUB = 0;

// Triggers are off: notifications read neither lists of members nor feeds.
const peopleSql = (count: number) => `
-- The posts of the population have notified its readers.
truncate app.events, app.notifications, app.inbox_counts, app.outbox cascade;
set session_replication_role = replica;
${usersSql(USERS, count - 1)}
${hubReadySql(0, count - 1)}
insert into app.hubs (id, name, member_count) values (pg_temp.id_of(${HUB}), 'The old town', ${count});
insert into app.memberships (hub_id, user_id, role, joined_at)
select
  pg_temp.id_of(${HUB}), pg_temp.id_of(n), (case n when 0 then 'admin' else 'member' end)::app.hub_role,
  now() - interval '90 days'
from generate_series(0, ${count - 1}) as n;
`;

/** Adds users up to a count, and makes all of them members of one Hub. */
export function addPeople({ superuserUrl }: Database, count: number): Promise<void> {
  return fill(superuserUrl, peopleSql(count));
}

/** Unread or read notifications of one inbox. */
export interface Inbox {
  /** The number of the owner. */
  readonly user: number;
  readonly count: number;
  readonly isRead: boolean;
}

const eventsSql = (inboxes: readonly Inbox[], hubs: number) => `
set session_replication_role = replica;
insert into app.hubs (id, name, member_count)
select pg_temp.id_of(hub), 'Neighbours of street ' || hub, ${inboxes.length}
from generate_series(${HUB + 1}, ${HUB + hubs - 1}) as hub;
insert into app.memberships (hub_id, user_id, role)
select pg_temp.id_of(hub), pg_temp.id_of(user_number), 'member'
from generate_series(${HUB + 1}, ${HUB + hubs - 1}) as hub, unnest(array[${inboxes.map(({ user }) => user)}]) as user_number;
-- Every second one is a follow, the others are posts in the owner's Hubs.
insert into app.events (id, type, actor_id, hub_id, post_id, occurred_at)
select
  pg_temp.id_of(n), (case n % 2 when 0 then 'user_followed' else 'hub_post_created' end)::app.event_type,
  pg_temp.id_of(${inboxes.length} + n % ${USERS - inboxes.length}),
  case n % 2 when 1 then pg_temp.id_of(${HUB} + n / 2 % ${hubs}) end,
  case n % 2 when 1 then pg_temp.id_of(n % ${POSTS}) end,
  now() - n * interval '1 second'
from generate_series(0, ${Math.max(...inboxes.map(({ count }) => count)) - 1}) as n;
-- Triggers count unread notifications.
set session_replication_role = origin;
`;

const notificationsSql = ({ user, count, isRead }: Inbox) => `
insert into app.notifications (event_id, recipient_id, audience, audience_id, actor_id, created_at, read_at)
select
  e.id, owner.id, (case when e.hub_id is null then 'everybody' else 'hub_member' end)::app.audience,
  coalesce(e.hub_id, owner.id), e.actor_id, e.occurred_at, ${isRead ? 'now()' : 'null'}
from app.events as e, (select pg_temp.id_of(${user}) as id) as owner where e.id < pg_temp.id_of(${count});
`;

/** Fills inboxes, whose owners are in so many Hubs. */
export async function addInboxes(database: Database, inboxes: readonly Inbox[], hubs: number): Promise<void> {
  await addPeople(database, USERS);
  await fill(
    database.superuserUrl,
    eventsSql(inboxes, hubs),
    ...inboxes.map(notificationsSql),
    'truncate app.outbox',
    'select app.fold_inbox_counts()',
  );
}

const TOKEN_LENGTH = 160;

/** Adds a device for each user of the population. */
export async function addDevices(database: Database, secrets: Secrets): Promise<void> {
  await addPeople(database, USERS);
  const tokens = Array.from({ length: USERS }, (_, user) => `device_${user}:`.padEnd(TOKEN_LENGTH, 'x'));
  await withClient(database.superuserUrl, (client) =>
    client.query(
      `insert into app.device_tokens (token_hash, user_id, session_id, platform, sealed_token)
       select decode(d.hash, 'hex'), d.user_id, d.user_id, 'android', decode(d.sealed, 'base64')
       from unnest($1::text[], $2::uuid[], $3::text[]) as d (hash, user_id, sealed)`,
      [
        tokens.map((token) => secrets.fingerprint(token)),
        tokens.map((_, user) => idOf(user)),
        tokens.map((token) => secrets.sealDeviceToken(token)),
      ],
    ),
  );
}

// Triggers bring them into the outbox. Every second one is a follow, the others are posts in the Hub.
const outboxSql = (count: number) => `
${ID_OF}
create temp table drawn_events as
select
  app.uuid_v7() as id, n, n % 2 = 0 as is_follow, pg_temp.id_of(n % ${USERS}) as recipient_id,
  pg_temp.id_of((n + 1) % ${USERS}) as actor_id, pg_temp.id_of(${HUB}) as hub_id
from generate_series(0, ${count - 1}) as n;
set session_replication_role = replica;
insert into app.events (id, type, actor_id, subject_id, hub_id, post_id)
select
  d.id, (case when d.is_follow then 'user_followed' else 'hub_post_created' end)::app.event_type, d.actor_id,
  case when d.is_follow then d.recipient_id end, case when not d.is_follow then d.hub_id end,
  case when not d.is_follow then pg_temp.id_of(d.n % ${POSTS}) end
from drawn_events as d;
set session_replication_role = origin;
insert into app.notifications (event_id, recipient_id, audience, audience_id, actor_id)
select
  d.id, d.recipient_id, (case when d.is_follow then 'everybody' else 'hub_member' end)::app.audience,
  case when d.is_follow then d.recipient_id else d.hub_id end, d.actor_id
from drawn_events as d;
drop table drawn_events;
`;

/**
 * Fills the outbox, each row with a notification of its own, and a bare table with as many rows. The counts of what was
 * notified before are folded, as the worker does every five seconds.
 */
export async function fillOutbox(client: pg.Client, count: number): Promise<void> {
  const fold = () => client.query<{ is_more: boolean }>('select app.fold_inbox_counts() as is_more');
  while ((await fold()).rows[0]?.is_more);
  await client.query('drop table if exists bare_queue');
  await client.query(outboxSql(count));
  await client.query(
    'create table bare_queue as select o.notification_id as id, o.due_at, o.attempt_count, o.is_queued from app.outbox as o',
  );
  await client.query('alter table bare_queue add primary key (id)');
  await client.query('vacuum (analyze)');
}
