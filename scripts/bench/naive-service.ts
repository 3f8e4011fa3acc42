/**
 * The service that Opine is measured beside (scenarios/beside.ts): Hono, jose and pg, one named statement a request, JSON built in
 * Postgres, and none of Opine's promises. It knows no sessions, policies, blocks, Hubs, levels, limits or anonymity.
 */

import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { importJWK, jwtVerify } from 'jose';
import pg from 'pg';

/** SQL that copies the population into the tables of this service. */
export const NAIVE_SCHEMA = `
create schema naive;
create table naive.users as
select p.user_id as id, p.username, p.full_name from app.profiles as p;
alter table naive.users add primary key (id);
create table naive.posts as
select
  p.id, p.author_id, p.created_at, a.id as article_id, a.url, a.title, a.body, p.thought_text, p.slider_text, p.left_label,
  p.right_label, p.comment_count, p.repost_count, (v.counts).*
from app.posts as p
left join app.articles as a on a.id = p.article_id
left join app.vote_pools as v on v.post_id = p.id and v.hub_id is null;
alter table naive.posts add primary key (id);
create index on naive.posts (author_id, created_at desc);
create table naive.follows as select f.follower_id, f.followee_id from app.follows as f;
alter table naive.follows add primary key (follower_id, followee_id);
create table naive.votes as select r.post_id, r.user_id, 'right' as position from app.vote_receipts as r;
alter table naive.votes add primary key (post_id, user_id);
create table naive.saves (post_id uuid, user_id uuid, primary key (post_id, user_id));
`;

const CARD = `
jsonb_build_object(
  'id', p.id,
  'author', jsonb_build_object('id', u.id, 'username', u.username, 'fullName', u.full_name),
  'createdAt', p.created_at,
  'article', jsonb_build_object('id', p.article_id, 'url', p.url, 'title', p.title, 'text', p.body),
  'thoughtText', p.thought_text,
  'sliderText', p.slider_text,
  'slider', jsonb_build_object('leftLabel', p.left_label, 'rightLabel', p.right_label),
  'commentCount', p.comment_count,
  'repostCount', p.repost_count,
  'viewerSaved', s.user_id is not null,
  'viewerVoted', v.user_id is not null,
  'votes', case when v.user_id is not null then jsonb_build_array(
    p.strong_left_count, p.left_count, p.neutral_count, p.right_count, p.strong_right_count
  ) end
)`;

const JOINS = `
join naive.users as u on u.id = p.author_id
left join naive.votes as v on v.post_id = p.id and v.user_id = $1
left join naive.saves as s on s.post_id = p.id and s.user_id = $1`;

const READ = `select ${CARD}::text as answer from naive.posts as p ${JOINS} where p.id = $2`;

const FEED = `
select jsonb_build_object('items', jsonb_agg(${CARD} order by p.created_at desc))::text as answer
from (
  select p.*
  from naive.posts as p
  where p.author_id = $1 or p.author_id in (select f.followee_id from naive.follows as f where f.follower_id = $1)
  order by p.created_at desc
  limit 20
) as p
${JOINS}`;

const VOTE = `
with cast_vote as (
  insert into naive.votes (post_id, user_id, position) values ($2, $1, $3) on conflict do nothing returning post_id
)
update naive.posts as p
set
  strong_left_count = strong_left_count + ($3 = 'strong_left')::integer,
  left_count = left_count + ($3 = 'left')::integer,
  neutral_count = neutral_count + ($3 = 'neutral')::integer,
  right_count = right_count + ($3 = 'right')::integer,
  strong_right_count = strong_right_count + ($3 = 'strong_right')::integer
from cast_vote as c
where p.id = c.post_id
returning jsonb_build_object(
  'position', $3::text,
  'votes', jsonb_build_array(
    p.strong_left_count, p.left_count, p.neutral_count, p.right_count, p.strong_right_count
  )
)::text as answer`;

async function main({ DATABASE_URL, DATABASE_POOL_SIZE, JWT_SIGNING_KEYS, HOST, PORT }: NodeJS.ProcessEnv) {
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
  const [{ d: _, ...publicKey }] = JSON.parse(JWT_SIGNING_KEYS ?? '[]');
  const key = await importJWK(publicKey);

  async function userOf(c: Context): Promise<string | null> {
    const [, token] = c.req.header('authorization')?.split(' ') ?? [];
    return token === undefined ? null : String((await jwtVerify(token, key)).payload.sub);
  }

  async function answer(c: Context, name: string, text: string, values: unknown[], status: 200 | 201 = 200) {
    const { rows } = await pool.query<{ answer: string }>({ name, text, values });
    if (rows[0] === undefined) return c.json({ error: 'not found' }, 404);
    return c.body(`{"data":${rows[0].answer}}`, status, { 'content-type': 'application/json' });
  }

  const app = new Hono();
  app.get('/readyz', (c) => c.body(null));
  app.get('/api/v1/posts/:id', async (c) => answer(c, 'read', READ, [await userOf(c), c.req.param('id')]));
  app.get('/api/v1/posts', async (c) => answer(c, 'feed', FEED, [await userOf(c)]));
  app.post('/api/v1/posts/:id/vote', async (c) => {
    const { position } = await c.req.json<{ position: string }>();
    return answer(c, 'vote', VOTE, [await userOf(c), c.req.param('id'), position], 201);
  });
  serve({ fetch: app.fetch, hostname: HOST ?? '', port: Number(PORT) });
}

if (import.meta.main) await main(process.env);
