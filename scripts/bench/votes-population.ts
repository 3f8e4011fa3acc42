import { withClient } from '../local/connection.ts';
import { FIRST_ID, ID_PREFIX, POSTS, USERS } from './population.ts';
import { settle } from './settle.ts';

/** Posts that are voted on, those of the population among them. */
export const VOTED_POSTS = 10_000;

/** The last of them are in every Hub, the others in none. */
export const PLACED_POSTS = 200;

/** People of each sort. */
export const MEMBERS = 2_001;

/** In how many Hubs people are: sort by sort, after the users of the population. Each Hub has all of its sorts. */
export const HUBS_OF_SORTS = [0, 20, 200] as const;

const HUBS = Math.max(...HUBS_OF_SORTS);

const MORE_POSTS = `
create function pg_temp.id_of(p_number bigint) returns uuid language sql immutable
return ('${ID_PREFIX}' || ${FIRST_ID} + p_number)::uuid;

insert into app.articles (id, author_id, url, title, body)
select
  pg_temp.id_of(n), pg_temp.id_of(n % ${USERS}), 'https://example.com/articles/' || n, 'The old town goes car-free',
  'From spring on, only trams, bicycles and deliveries before ten enter the old town.'
from generate_series(${POSTS}, ${VOTED_POSTS - 1}) as n;

insert into app.posts (
  id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility, created_at
)
select
  pg_temp.id_of(n), pg_temp.id_of(n % ${USERS}), pg_temp.id_of(n),
  'My street lost its parking in May. I would not give the benches back.',
  'Should the centre be car-free?', 'Keep the cars', 'Car-free', 'public', now() - n * interval '1 minute'
from generate_series(${POSTS}, ${VOTED_POSTS - 1}) as n;
`;

// What triggers would keep of memberships and placements, lists of members and feeds, no vote reads.
const MEMBERS_OF_HUBS = `
set session_replication_role = replica;

create temp table members as
select ${USERS} + (sort.place - 1) * ${MEMBERS} + n as n, sort.hubs
from unnest(array[${HUBS_OF_SORTS.join(', ')}]) with ordinality as sort (hubs, place),
  generate_series(0, ${MEMBERS - 1}) as n;

insert into app.users (
  id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at
)
select pg_temp.id_of(m.n), '+1303' || 2000000 + m.n, now(), '1', now(), now(), now() from members as m;

insert into app.profiles (user_id, username, full_name)
select pg_temp.id_of(m.n), 'member_' || m.n, 'Member ' || m.n from members as m;

insert into app.sessions (id, user_id)
select pg_temp.id_of(m.n), pg_temp.id_of(m.n) from members as m;

insert into app.refresh_tokens (token_hash, session_id, expires_at)
select sha256(m.n::text::bytea), pg_temp.id_of(m.n), now() + interval '1 day' from members as m;

insert into app.hubs (id, name, member_count)
select pg_temp.id_of(hub), 'Neighbours of street ' || hub, (select count(*) from members as m where hub < m.hubs)
from generate_series(0, ${HUBS - 1}) as hub;

insert into app.memberships (hub_id, user_id, role, joined_at)
select pg_temp.id_of(hub), pg_temp.id_of(m.n), 'member', now() - interval '90 days'
from members as m, generate_series(0, m.hubs - 1) as hub;

insert into app.placements (post_id, hub_id, kind, placed_by)
select pg_temp.id_of(post), pg_temp.id_of(hub), 'shared', pg_temp.id_of(${USERS + 2 * MEMBERS})
from generate_series(${VOTED_POSTS - PLACED_POSTS}, ${VOTED_POSTS - 1}) as post, generate_series(0, ${HUBS - 1}) as hub;
`;

/** Adds posts, and people in Hubs, to a database of the population. @param superuserUrl a superuser's connection URL */
export function addMembers(superuserUrl: string): Promise<void> {
  return withClient(superuserUrl, async (client) => {
    await client.query('set synchronous_commit = off');
    await client.query(MORE_POSTS);
    await client.query(MEMBERS_OF_HUBS);
    await settle(client);
  });
}
