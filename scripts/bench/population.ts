import pg from 'pg';
import { withClient } from '../local/connection.ts';

/** Users 0 to 999 read and have voted on every tenth post. The others have never voted. */
export const READERS = 1_000;

/** Users, each registered and with a live session. */
export const USERS = 21_000;

/** Public posts, each with an article, a thought and a slider. */
export const POSTS = 2_001;

const FOLLOWS_OF_A_READER = 20;

/** The prefix of every id of the population. */
export const ID_PREFIX = '01900000-0000-7000-8000-';

/** The last part of the id of row 0. It has twelve digits, so that prefix and number make an id. */
export const FIRST_ID = 100_000_000_000;

/** Returns the id of a row by its number in its table. */
export function idOf(number: number): string {
  return `${ID_PREFIX}${FIRST_ID + number}`;
}

/** The issuer of access tokens. */
export const ISSUER = 'http://127.0.0.1:54321/auth/v1';

/** When tokens are issued and expire, in seconds. */
export const ISSUED_AT = Math.floor(Date.now() / 1000);
export const EXPIRES_AT = ISSUED_AT + 24 * 3600;

/**
 * Returns the claims of an access token, as the API sends them to Postgres.
 * @param user the user's number, or a text in place of the id
 */
export function claimsOf(user: number | string): object {
  const id = typeof user === 'number' ? idOf(user) : user;
  return {
    iss: ISSUER,
    aud: 'authenticated',
    role: 'authenticated',
    sub: id,
    session_id: id,
    iat: ISSUED_AT,
    exp: EXPIRES_AT,
  };
}

const TOKEN_LENGTH = 43;

/** SQL that creates `pg_temp.id_of`, which is `idOf`. */
export const ID_OF = `
create or replace function pg_temp.id_of(p_number bigint) returns uuid language sql immutable
return ('${ID_PREFIX}' || ${FIRST_ID} + p_number)::uuid;
`;

/**
 * Runs SQL scripts in one session, in which `pg_temp.id_of` exists, and settles the database.
 * @param superuserUrl a superuser's connection URL
 */
export function fill(superuserUrl: string, ...scripts: readonly string[]): Promise<void> {
  return withClient(superuserUrl, async (client) => {
    await client.query('set synchronous_commit = off');
    await client.query(ID_OF);
    for (const script of scripts) await client.query(script);
    await settle(client);
  });
}

/** Brings a filled database into the state of a long-running one: vacuumed, analyzed, written to disk. */
export async function settle(client: pg.Client): Promise<void> {
  // Vacuum marks a row as visible to all only if its commit is on disk. Otherwise index-only scans are planned by chance.
  await client.query('set synchronous_commit = on');
  await client.query('vacuum (analyze, freeze)');
  await client.query('checkpoint');
}

/** Returns SQL that fills tables without their indexes and then creates the indexes, which is faster. */
export function withoutIndexes(tables: readonly string[], sql: string): string {
  const names = tables.map((table) => pg.escapeLiteral(table)).join(', ');
  return `
create temp table dropped_indexes as
select pg_get_indexdef(i.indexrelid) as definition, i.indexrelid::regclass::text as name
from pg_index as i left join pg_constraint as c on c.conindid = i.indexrelid
where i.indrelid = any (array[${names}]::regclass[]) and c.oid is null;
do $$ begin execute (select string_agg('drop index ' || d.name, '; ') from dropped_indexes as d); end $$;
${sql}
do $$ begin execute (select string_agg(d.definition, '; ') from dropped_indexes as d); end $$;
`;
}

/** Returns SQL that adds articles and public posts with numbers from `first` to `last`. @param authors how many users write them */
export function postsSql(first: number, last: number, voteCount: number, authors = USERS): string {
  return `
insert into app.articles (id, author_id, url, title, body)
select
  pg_temp.id_of(n), pg_temp.id_of(n % ${authors}), 'https://example.com/articles/' || n, 'The old town goes car-free',
  'From spring on, only trams, bicycles and deliveries before ten enter the old town.'
from generate_series(${first}, ${last}) as n;
insert into app.posts (
  id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility, vote_count, created_at
)
select
  pg_temp.id_of(n), pg_temp.id_of(n % ${authors}), pg_temp.id_of(n),
  'My street lost its parking in May. I would not give the benches back.',
  'Should the centre be car-free?', 'Keep the cars', 'Car-free', 'public', ${voteCount}, now() - n * interval '1 minute'
from generate_series(${first}, ${last}) as n;
`;
}

/** Returns SQL that adds users with profiles and live sessions, with numbers from `first` to `last`. */
export function usersSql(first: number, last: number): string {
  return `
insert into app.users (id, terms_version, terms_accepted_at)
select pg_temp.id_of(n), '1', now() from generate_series(${first}, ${last}) as n;
insert into app.profiles (user_id, username, full_name)
select pg_temp.id_of(n), 'person_' || n, 'Person ' || n from generate_series(${first}, ${last}) as n;
insert into app.sessions (id, user_id)
select pg_temp.id_of(n), pg_temp.id_of(n) from generate_series(${first}, ${last}) as n;
-- The worker ends sessions without a refresh token.
insert into app.refresh_tokens (token_hash, session_id, expires_at)
select sha256(lpad(n::text, ${TOKEN_LENGTH}, '0')::bytea), pg_temp.id_of(n), now() + interval '1 day'
from generate_series(${first}, ${last}) as n;
`;
}

/** Returns SQL that makes users complete, so that they may join Hubs. */
export function hubReadySql(first: number, last: number): string {
  return `
update app.users as u
set phone = '+1303' || 2000000 + n, phone_verified_at = now(), media_completed_at = now(), contacts_synced_at = now()
from generate_series(${first}, ${last}) as n where u.id = pg_temp.id_of(n);
`;
}

/**
 * Returns SQL that writes some rows again under the triggers, which must leave what a query returns unchanged. An
 * exception block undoes it: a transaction that rolls back would count as a retry of requests.
 * @param options.rewrite SQL that deletes the rows, enables the triggers and inserts the rows
 */
export function triggerCheckSql({
  query,
  rewrite,
}: {
  readonly query: string;
  readonly rewrite: string;
}): string {
  return `
do $$
declare
  v_differ boolean;
begin
  begin
    create temp table expected as ${query};
    if not exists (select from expected) then
      raise exception 'no rows to check';
    end if;
    ${rewrite}
    v_differ := exists ((table expected except all (${query})) union all ((${query}) except all table expected));
    raise sqlstate 'UNDO0';
  exception when sqlstate 'UNDO0' then null;
  end;
  if v_differ then
    raise exception 'the population differs from what triggers write';
  end if;
end
$$;
`;
}

const FOLLOWS = `
insert into app.follows (follower_id, followee_id)
select pg_temp.id_of(reader), pg_temp.id_of((reader + 1 + 37 * n) % ${USERS})
from generate_series(0, ${READERS - 1}) as reader, generate_series(0, ${FOLLOWS_OF_A_READER - 1}) as n;
`;

const VOTES = `
insert into app.vote_receipts (post_id, user_id, voted_at, baseline)
select pg_temp.id_of(post), pg_temp.id_of(reader), date_trunc('minute', now()), 1 + reader / 10
from generate_series(0, ${POSTS - 1}) as post, generate_series(post % 10, ${READERS - 1}, 10) as reader;
select app.add_to_pool(pg_temp.id_of(n), null, (10, 20, 20, 20, 30)) from generate_series(0, ${POSTS - 1}) as n;
`;

/** Fills a database with users, sessions, posts and votes. */
export function populate(superuserUrl: string): Promise<void> {
  return fill(superuserUrl, usersSql(0, USERS - 1), FOLLOWS, postsSql(0, POSTS - 1, 100), VOTES);
}
