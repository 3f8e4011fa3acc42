create table app.posts (
  id uuid primary key default app.uuid_v7(),
  author_id uuid not null references app.users (id) on delete cascade,
  article_id uuid,
  thought_text text,
  slider_text text,
  left_label text,
  right_label text,
  visibility app.post_visibility not null,
  is_shareable boolean not null default true,
  created_at timestamptz not null default app.now(),
  constraint posts_article_is_own foreign key (article_id, author_id) references app.articles (id, author_id)
    on update cascade on delete cascade,
  constraint posts_have_content check (num_nonnulls(article_id, thought_text, slider_text) > 0),
  constraint posts_slider_is_whole check (num_nulls(slider_text, left_label, right_label) in (0, 3)),
  constraint posts_thought_text_length check (char_length(thought_text) between 1 and 2000),
  constraint posts_slider_text_length check (char_length(slider_text) between 1 and 260),
  constraint posts_left_label_length check (char_length(left_label) between 1 and 40),
  constraint posts_right_label_length check (char_length(right_label) between 1 and 40)
);
comment on table app.posts is 'Post frames: an author''s article, thought and slider (spec.md "Post frame").';
comment on column app.posts.is_shareable is 'Whether more than one destination was chosen, or a public one: by their number, which not everybody may see.';

create index posts_author_id_created_at_idx on app.posts (author_id, created_at desc, id desc);
create index posts_article_id_author_id_idx on app.posts (article_id, author_id);

alter table app.posts enable row level security;

create policy posts_insert on app.posts for insert to authenticated
with check (author_id = (select app.user_id()));

create policy posts_delete on app.posts for delete to authenticated
using (author_id = (select app.user_id()));

grant select on app.posts to anon, authenticated;
grant insert (author_id, article_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable) on app.posts to authenticated;
grant delete on app.posts to authenticated;
