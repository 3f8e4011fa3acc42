create table app.articles (
  id uuid primary key default app.uuid_v7(),
  author_id uuid not null references app.users (id) on delete cascade,
  url text,
  title text,
  body text,
  media_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint articles_id_author_id_key unique (id, author_id),
  constraint articles_have_content check (num_nonnulls(url, title, body) > 0 or media_count > 0),
  constraint articles_url_length check (char_length(url) between 1 and 2000),
  constraint articles_url_is_web check (url ~* '^https?://'),
  constraint articles_title_length check (char_length(title) between 1 and 300),
  constraint articles_body_length check (char_length(body) between 1 and 10000),
  constraint articles_title_visible check (app.has_visible_character(title)),
  constraint articles_body_visible check (app.has_visible_character(body))
);
comment on table app.articles is 'What a post is about: reusable link, media or text (spec.md "Post frame").';
comment on column app.articles.media_count is 'How many rows of app.article_assets it has.';

create index articles_author_id_idx on app.articles (author_id);

alter table app.articles enable row level security;

create policy articles_insert on app.articles for insert to authenticated
with check (author_id = (select app.user_id()));

create policy articles_delete on app.articles for delete to authenticated
using (author_id = (select app.user_id()));

grant select on app.articles to anon, authenticated;
grant insert (author_id, url, title, body, media_count) on app.articles to authenticated;
grant delete on app.articles to authenticated;
