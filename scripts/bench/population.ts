import pg from 'pg';
import { withClient } from '../local/connection.ts';
import { settle } from './settle.ts';

/** Users 0 to 999 read and have voted on every tenth post; those above have never voted. */
export const READERS = 1_000;

/** Users, each registered and with a live session. */
export const USERS = 21_000;

/** How many people each reader follows. */
const FOLLOWS = 20;

/** Public posts, each with an article, a thought and a slider. */
export const POSTS = 2_001;

/** What every id of the population begins with. */
export const ID_PREFIX = '01900000-0000-7000-8000-';

/** The last part of row 0's id: of twelve digits, so that a prefix and a number make every id. */
export const FIRST_ID = 100_000_000_000;

/** The id of a row by its number in its table. */
export function idOf(number: number): string {
  return `${ID_PREFIX}${FIRST_ID + number}`;
}

const TOKEN_LENGTH = 43;

/** The refresh token of a user's session, as long as those that the service draws. */
export function refreshTokenOf(user: number): string {
  return String(user).padStart(TOKEN_LENGTH, '0');
}

/**
 * A JSON document in a pgbench script.
 * @param document in which the id of row 0 stands for the row that `variable` names, a variable of pgbench that holds
 *   the last part of its id
 */
export function sqlOf(document: object, variable: string): string {
  const text = pg.escapeLiteral(JSON.stringify(document));
  return `(${text.replaceAll(String(FIRST_ID), `' || :${variable} || '`)})::jsonb`;
}

const POPULATION = `
create function pg_temp.id_of(p_number integer) returns uuid language sql immutable
return ('${ID_PREFIX}' || ${FIRST_ID} + p_number)::uuid;

insert into app.users (id, terms_version, terms_accepted_at)
select pg_temp.id_of(n), '1', now() from generate_series(0, ${USERS - 1}) as n;

insert into app.profiles (user_id, username, full_name)
select pg_temp.id_of(n), 'person_' || n, 'Person ' || n from generate_series(0, ${USERS - 1}) as n;

insert into app.sessions (id, user_id)
select pg_temp.id_of(n), pg_temp.id_of(n) from generate_series(0, ${USERS - 1}) as n;

insert into app.refresh_tokens (token_hash, session_id, expires_at)
select sha256(lpad(n::text, ${TOKEN_LENGTH}, '0')::bytea), pg_temp.id_of(n), now() + interval '1 day'
from generate_series(0, ${USERS - 1}) as n;

insert into app.follows (follower_id, followee_id)
select pg_temp.id_of(reader), pg_temp.id_of((reader + 1 + 37 * n) % ${USERS})
from generate_series(0, ${READERS - 1}) as reader, generate_series(0, ${FOLLOWS - 1}) as n;

insert into app.articles (id, author_id, url, title, body)
select
  pg_temp.id_of(n), pg_temp.id_of(n % ${USERS}), 'https://example.com/articles/' || n, 'The old town goes car-free',
  'From spring on, only trams, bicycles and deliveries before ten enter the old town.'
from generate_series(0, ${POSTS - 1}) as n;

insert into app.posts (
  id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility, vote_count, created_at
)
select
  pg_temp.id_of(n), pg_temp.id_of(n % ${USERS}), pg_temp.id_of(n),
  'My street lost its parking in May. I would not give the benches back.',
  'Should the centre be car-free?', 'Keep the cars', 'Car-free', 'public', 100, now() - n * interval '1 minute'
from generate_series(0, ${POSTS - 1}) as n;

insert into app.vote_receipts (post_id, user_id, voted_at, baseline)
select pg_temp.id_of(post), pg_temp.id_of(reader), date_trunc('minute', now()), 1 + reader / 10
from generate_series(0, ${POSTS - 1}) as post, generate_series(post % 10, ${READERS - 1}, 10) as reader;

insert into app.vote_pools (
  post_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count
)
select pg_temp.id_of(n), 10, 20, 20, 20, 30 from generate_series(0, ${POSTS - 1}) as n;
`;

/** Fills a database with users, sessions, posts and votes. @param superuserUrl a superuser's connection URL */
export function populate(superuserUrl: string): Promise<void> {
  return withClient(superuserUrl, async (client) => {
    await client.query(POPULATION);
    await settle(client);
  });
}
