import { withClient } from '../local/connection.ts';
import { FIRST_ID, ID_PREFIX, USERS } from './population.ts';
import { settle } from './settle.ts';

/** The number of the Hub that everybody is in. */
export const HUB = 0;

/** SQL for the id of a row by its number. */
export const ID_OF = `
create function pg_temp.id_of(p_number integer) returns uuid language sql immutable
return ('${ID_PREFIX}' || ${FIRST_ID} + p_number)::uuid;
`;

// What triggers would keep of memberships, lists of members and feeds, no notification asks for.
const peopleOf = (count: number) => `
set synchronous_commit = off;

-- What the posts of the population have told its readers.
truncate app.events, app.notifications, app.inbox_counts, app.outbox cascade;

set session_replication_role = replica;
${ID_OF}
insert into app.users (id, terms_version, terms_accepted_at)
select pg_temp.id_of(n), '1', now() from generate_series(${USERS}, ${count - 1}) as n;

insert into app.profiles (user_id, username, full_name)
select pg_temp.id_of(n), 'person_' || n, 'Person ' || n from generate_series(${USERS}, ${count - 1}) as n;

insert into app.sessions (id, user_id)
select pg_temp.id_of(n), pg_temp.id_of(n) from generate_series(${USERS}, ${count - 1}) as n;

-- The worker ends sessions that can no longer be refreshed.
insert into app.refresh_tokens (token_hash, session_id, expires_at)
select sha256(n::text::bytea), pg_temp.id_of(n), now() + interval '1 day' from generate_series(${USERS}, ${count - 1}) as n;

update app.users as u
set phone = '+1303' || 2000000 + n, phone_verified_at = now(), media_completed_at = now(), contacts_synced_at = now()
from generate_series(0, ${count - 1}) as n
where u.id = pg_temp.id_of(n);

insert into app.hubs (id, name, member_count) values (pg_temp.id_of(${HUB}), 'The old town', ${count});

insert into app.memberships (hub_id, user_id, role, joined_at)
select
  pg_temp.id_of(${HUB}), pg_temp.id_of(n), (case n when 0 then 'admin' else 'member' end)::app.hub_role,
  now() - interval '90 days'
from generate_series(0, ${count - 1}) as n;
`;

/**
 * Makes everybody of the population Hub-ready, adds others until they are `count`, and brings all into one Hub.
 * @param superuserUrl a superuser's connection URL
 */
export function addPeople(superuserUrl: string, count: number): Promise<void> {
  return withClient(superuserUrl, async (client) => {
    await client.query(peopleOf(count));
    await settle(client);
  });
}
