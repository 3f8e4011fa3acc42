import { sql } from 'kysely';
import { withClient } from '../../scripts/local/connection.ts';
import type { Somebody } from './graph.ts';
import type { Opine } from './opine.ts';
import type { Person } from './people.ts';

/** Of what so many notifications are, and how old they are, as Postgres reads it. */
export interface Many {
  readonly type: string;
  readonly actor: Somebody;
  readonly hub?: Somebody;
  readonly post?: Somebody;
  readonly count: number;
  readonly ago: string;
  readonly areRead?: boolean;
}

/** `reader` has so many notifications, too many to be told of one by one: a second lies between two. */
export async function hasMany({ database }: Opine, reader: Somebody, many: Many): Promise<void> {
  const { type, actor, hub, post, count, ago, areRead = false } = many;
  await sql`
    with happened as (
      insert into app.events (type, actor_id, subject_id, hub_id, post_id)
      select ${type}::app.event_type, ${actor.id}::uuid, ${reader.id}::uuid, ${hub?.id ?? null}::uuid, ${post?.id ?? null}::uuid
      from generate_series(1, ${count}::integer)
      returning id
    )
    insert into app.notifications (event_id, recipient_id, audience, scope_id, actor_id, created_at, read_at)
    select id, ${reader.id}::uuid, ${hub === undefined ? 'everybody' : 'hub_member'}::app.audience,
      ${hub?.id ?? reader.id}::uuid, ${actor.id}::uuid,
      app.now() - ${ago}::interval - row_number() over () * interval '1 second',
      case when ${areRead}::boolean then app.now() end
    from happened`.execute(database.superuser);
}

// Postgres looks names up in its catalogue the first times.
const WARM_UPS = 2;

/**
 * How many pages of 8 kB Postgres reads for each of these requests of `reader`, one after the other on one connection: the most
 * of them, but for the first.
 */
export function mostPagesRead(
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
