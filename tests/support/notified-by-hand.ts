import { sql } from 'kysely';
import type { Somebody } from './graph.ts';
import type { Opine } from './opine.ts';

/** What is written of an event that no request leads to any more, or never did. */
export interface EventByHand {
  readonly type: string;
  readonly actor?: Somebody;
  readonly hub?: Somebody;
  readonly post?: Somebody;
  /** How long ago, as Postgres reads it. */
  readonly ago?: string;
}

/** Writes into the inbox of `recipient` what an earlier release, or a mistake, would have left there: the ids. */
export async function isNotifiedByHand(
  { database }: Pick<Opine, 'database'>,
  recipient: Somebody,
  events: readonly EventByHand[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { type, actor, hub, post, ago = '0' } of events) {
    const { rows } = await sql<{ id: string }>`
      with told as (
        insert into app.events (type, actor_id, hub_id, post_id)
        values (${type}::app.event_type, ${actor?.id ?? null}::uuid, ${hub?.id ?? null}::uuid, ${post?.id ?? null}::uuid)
        returning *
      ), placed as (
        select t as event, app.audience_of(t::app.events) as audience from told as t
      )
      insert into app.notifications (event_id, recipient_id, audience, scope_id, actor_id, created_at)
      select (event).id, ${recipient.id}::uuid, audience,
        case audience when 'hub_member' then (event).hub_id else ${recipient.id}::uuid end,
        (event).actor_id, app.now() - ${ago}::interval
      from placed
      returning id::text`.execute(database.superuser);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** The ids of all that is stored for `recipient`, seen or not, newest first; only of `type` where that is given. */
export async function storedFor(
  { database }: Pick<Opine, 'database'>,
  { id }: Somebody,
  type?: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select n.id::text from app.notifications as n join app.events as e on e.id = n.event_id
    where n.recipient_id = ${id} and e.type::text = coalesce(${type ?? null}, e.type::text)
    order by n.created_at desc, n.id desc`.execute(database.superuser);
  return rows.map((row) => row.id);
}
