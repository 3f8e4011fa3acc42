import { type RawBuilder, sql, type Transaction } from 'kysely';
import { withClient } from '../../scripts/local/connection.ts';
import type { DB } from '../../src/db/types.ts';
import { allPages, type Client, expectOk, type Json, type Reply, withQuery } from './client.ts';
import type { Opine, WithDatabase } from './opine.ts';
import type { Person, UserRef } from './people.ts';
import { aComment, type Post } from './posts.ts';

export function requestInbox(reader: Client, query = ''): Promise<Reply> {
  return reader.get(`/notifications${query}`);
}

/** Returns items, unreadCount and inboxVersion. */
export function inboxOf(reader: Client, query = ''): Promise<Json> {
  return expectOk(requestInbox(reader, query));
}

/** Returns the newest notifications, optionally of one type. */
export async function notificationsOf(reader: Client, type?: string): Promise<Json[]> {
  const { items } = await inboxOf(reader, '?limit=100');
  return items.filter((item: Json) => type === undefined || item.type === type);
}

export async function notifiedTypes(reader: Client): Promise<string[]> {
  return (await notificationsOf(reader)).map(({ type }) => type);
}

export function requestMarkRead(reader: Client, { id }: Pick<Json, 'id'>): Promise<Reply> {
  return reader.patch('/notifications/read', { notificationId: id });
}

export function requestMarkAllRead(reader: Client): Promise<Reply> {
  return reader.patch('/notifications/read', { all: true });
}

export function inboxPage(reader: Client, query: object = {}): Promise<Json> {
  return expectOk(reader.get(withQuery('/notifications', query)));
}

export function inboxPages(reader: Client, query: object = {}): Promise<Json[][]> {
  return allPages(reader, '/notifications', query);
}

/** Returns the entire inbox, newest first. */
export async function wholeInbox(reader: Client, query: object = {}): Promise<Json[]> {
  return (await inboxPages(reader, { limit: 100, ...query })).flat();
}

export async function unreadCountOf(reader: Client): Promise<number> {
  return (await inboxPage(reader, { limit: 1 })).unreadCount;
}

/** Adds comments. Returns their ids, newest first. */
export async function addComments(author: Client, post: Post, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.unshift((await aComment(author, post)).id);
  return ids;
}

export function commentIdsOf(items: readonly Json[]): (string | null)[] {
  return items.map(({ commentId }) => commentId);
}

/** Notifications to insert; `ago` is a Postgres interval. */
interface NotificationBatch {
  readonly type: string;
  readonly actor: UserRef;
  readonly hub?: UserRef;
  readonly post?: UserRef;
  readonly count: number;
  readonly ago: string;
  readonly areRead?: boolean;
}

/** Inserts `count` notifications, one second apart. */
export async function insertNotifications(
  { database }: Opine,
  reader: UserRef,
  many: NotificationBatch,
): Promise<void> {
  const { type, actor, hub, post, count, ago, areRead = false } = many;
  const event = sql`${type}::app.event_type, ${actor.id}::uuid, ${reader.id}::uuid, ${hub?.id ?? null}::uuid,
    ${post?.id ?? null}::uuid`;
  await database.superuser.transaction().execute(async (transaction) => {
    const ids = await insertEvents(
      transaction,
      sql`insert into app.events (type, actor_id, subject_id, hub_id, post_id)
        select ${event} from generate_series(1, ${count}::integer)`,
    );
    await sql`
      insert into app.notifications (event_id, recipient_id, audience, audience_id, actor_id, created_at, read_at)
      select id, ${reader.id}::uuid, ${hub === undefined ? 'everybody' : 'hub_member'}::app.audience,
        ${hub?.id ?? reader.id}::uuid, ${actor.id}::uuid,
        app.now() - ${ago}::interval - row_number() over () * interval '1 second',
        case when ${areRead}::boolean then app.now() end
      from unnest(${ids}::uuid[]) as id`.execute(transaction);
  });
}

/** Inserts events without their recipients. Returns their ids. */
async function insertEvents(transaction: Transaction<DB>, insert: RawBuilder<unknown>): Promise<string[]> {
  await sql`set local session_replication_role = replica`.execute(transaction);
  const { rows } = await sql<{ id: string }>`${insert} returning id`.execute(transaction);
  await sql`set local session_replication_role = origin`.execute(transaction);
  return rows.map(({ id }) => id);
}

// The first queries fill Postgres's catalogue caches.
const WARM_UPS = 2;

/** Returns the most 8 kB pages that one of the requests reads, after warm-up. */
export function maxPagesRead(
  { database }: Opine,
  { session }: Person,
  operation: string,
  requests: readonly object[],
): Promise<number> {
  const claims = Buffer.from(session.accessToken.split('.')[1] ?? '', 'base64url').toString();
  return withClient(database.superuserUrl, async (client) => {
    await client.query('set session authorization opine_gateway');
    const counts: number[] = [];
    for (const args of requests) {
      const { rows } = await client.query(
        "explain (analyze, buffers, timing off, format json) select gateway.call('caller', $1, $3, $2)",
        [operation, claims, JSON.stringify(args)],
      );
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      counts.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    }
    return Math.max(...counts.slice(WARM_UPS));
  });
}

/** An event that no request creates any more. */
interface StoredEvent {
  readonly type: string;
  readonly actor?: UserRef;
  readonly hub?: UserRef;
  readonly post?: UserRef;
  /** A Postgres interval. */
  readonly ago?: string;
}

/** Inserts notifications that an earlier release could have left. Returns their ids. */
export async function insertInboxEntries(
  { database }: WithDatabase,
  recipient: UserRef,
  events: readonly StoredEvent[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { type, actor, hub, post, ago = '0' } of events) {
    const rows = await database.superuser.transaction().execute(async (transaction) => {
      const eventIds = await insertEvents(
        transaction,
        sql`insert into app.events (type, actor_id, hub_id, post_id)
          values (${type}, ${actor?.id ?? null}, ${hub?.id ?? null}, ${post?.id ?? null})`,
      );
      const inserted = await sql<{ id: string }>`
        insert into app.notifications (event_id, recipient_id, audience, audience_id, actor_id, created_at)
        select e.id, ${recipient.id}::uuid, audience,
          case
            when audience in ('hub_member', 'hub_ready') then e.hub_id
            when audience in ('post_viewer', 'target_member')
              then (select p.author_id from app.posts as p where p.id = e.post_id)
            else ${recipient.id}::uuid
          end,
          e.actor_id, app.now() - ${ago}::interval
        from app.events as e
        cross join lateral app.audience_of(e) as audience
        where e.id = any (${eventIds}::uuid[])
        returning id::text`.execute(transaction);
      return inserted.rows;
    });
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** Returns all stored notification ids of `recipient`, hidden ones included, newest first. */
export async function storedNotificationIds(
  { database }: WithDatabase,
  { id }: UserRef,
  type?: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select n.id::text from app.notifications as n join app.events as e on e.id = n.event_id
    where n.recipient_id = ${id} and e.type::text = coalesce(${type ?? null}, e.type::text)
    order by n.created_at desc, n.id desc`.execute(database.superuser);
  return rows.map((row) => row.id);
}
