import type pg from 'pg';
import type { Secrets } from '../../src/auth/secrets.ts';
import { withClient } from '../local/connection.ts';
import { addPeople, HUB, ID_OF } from './notif-people.ts';
import { idOf, POSTS, USERS } from './population.ts';
import type { Database } from './world.ts';

const TOKEN_LENGTH = 160;

/** Gives everybody of the population a device. */
export async function addDevices({ superuserUrl }: Database, secrets: Secrets): Promise<void> {
  await addPeople(superuserUrl, USERS);
  const tokens = Array.from({ length: USERS }, (_, user) => `device_${user}:`.padEnd(TOKEN_LENGTH, 'x'));
  await withClient(superuserUrl, (client) =>
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

// Under the triggers, which bring them into the outbox: every other one a follow, the others posts in a Hub.
const happenings = (count: number) => `
${ID_OF}
create temp table happenings as
select
  app.uuid_v7() as id, n, n % 2 = 0 as is_follow, pg_temp.id_of(n % ${USERS}) as recipient_id,
  pg_temp.id_of((n + 1) % ${USERS}) as actor_id, pg_temp.id_of(${HUB}) as hub_id
from generate_series(0, ${count - 1}) as n;

insert into app.events (id, type, actor_id, subject_id, hub_id, post_id)
select
  h.id, (case when h.is_follow then 'user_followed' else 'hub_post_created' end)::app.event_type, h.actor_id,
  case when h.is_follow then h.recipient_id end, case when not h.is_follow then h.hub_id end,
  case when not h.is_follow then pg_temp.id_of(h.n % ${POSTS}) end
from happenings as h;

insert into app.notifications (event_id, recipient_id, audience, scope_id, actor_id)
select
  h.id, h.recipient_id, (case when h.is_follow then 'everybody' else 'hub_member' end)::app.audience,
  case when h.is_follow then h.recipient_id else h.hub_id end, h.actor_id
from happenings as h;

drop table happenings;
drop function pg_temp.id_of(integer);
`;

/** Fills the outbox, each row with a notification of its own, and a bare table with as many rows. */
export async function fillOutbox(client: pg.Client, count: number): Promise<void> {
  await client.query('drop table if exists bare_queue');
  await client.query(happenings(count));
  await client.query(
    'create table bare_queue as select o.notification_id as id, o.due_at, o.attempt_count, o.is_queued from app.outbox as o',
  );
  await client.query('alter table bare_queue add primary key (id)');
  await client.query('vacuum (analyze)');
}

/** @throws Error where something is left to tell or to push */
export async function checkDrained(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ left: string }>(
    'select (select count(*) from app.outbox) + (select count(*) from app.pushes) as left',
  );
  if (rows[0]?.left !== '0') throw new Error(`${rows[0]?.left} rows were left`);
}
