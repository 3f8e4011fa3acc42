create table app.posts (
  id uuid primary key default app.uuid_v7(),
  author_id uuid not null references app.users (id) on delete cascade,
  article_id uuid,
  source_post_id uuid,
  thought_text text,
  slider_text text,
  left_label text,
  right_label text,
  visibility app.post_visibility not null,
  is_shareable boolean not null default true,
  comment_count integer not null default 0,
  repost_count integer not null default 0,
  vote_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint posts_article_is_own foreign key (article_id, author_id) references app.articles (id, author_id)
    on update cascade on delete cascade,
  constraint posts_have_content check (num_nonnulls(article_id, thought_text, slider_text) > 0),
  constraint posts_reposts_have_no_article check (num_nonnulls(source_post_id, article_id) < 2),
  constraint posts_counts_are_natural check (least(comment_count, repost_count, vote_count) >= 0),
  constraint posts_slider_is_whole check (num_nulls(slider_text, left_label, right_label) in (0, 3)),
  constraint posts_thought_text_length check (char_length(thought_text) between 1 and 2000),
  constraint posts_slider_text_length check (char_length(slider_text) between 1 and 260),
  constraint posts_left_label_length check (char_length(left_label) between 1 and 40),
  constraint posts_right_label_length check (char_length(right_label) between 1 and 40),
  constraint posts_thought_text_visible check (app.has_visible_character(thought_text)),
  constraint posts_slider_text_visible check (app.has_visible_character(slider_text)),
  constraint posts_left_label_visible check (app.has_visible_character(left_label)),
  constraint posts_right_label_visible check (app.has_visible_character(right_label))
);
comment on table app.posts is 'Post frames: an author''s article, thought and slider (spec.md "Post frame").';
comment on column app.posts.source_post_id is 'Of a repost, its original. No foreign key: a repost stays one when its original goes.';
comment on column app.posts.vote_count is 'How many voted on it until the last fold, by which milestones are counted; what people see is summed from pools.';
comment on column app.posts.is_shareable is 'Whether more than one destination was chosen, or a public one: by their number, which not everybody may see.';

create index posts_author_id_created_at_idx on app.posts (author_id, created_at desc, id desc);
create index posts_source_post_id_idx on app.posts (source_post_id, created_at, id) where source_post_id is not null;
create index posts_article_id_author_id_idx on app.posts (article_id, author_id);

alter table app.posts enable row level security;

create policy posts_insert on app.posts for insert to authenticated
with check (author_id = (select app.user_id()) and (source_post_id is null or app.may_repost(source_post_id)));

create policy posts_delete on app.posts for delete to authenticated
using (author_id = (select app.user_id()));

grant select on app.posts to anon, authenticated;
grant insert (author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility, is_shareable) on app.posts to authenticated;
grant delete on app.posts to authenticated;

create trigger posts_hold_source_before_insert before insert on app.posts
for each row when (new.source_post_id is not null)
execute function app.hold_post('source_post_id');

create trigger posts_note_after_insert after insert on app.posts
referencing new table as present
for each statement execute function app.note_publications();

create trigger posts_note_after_delete after delete on app.posts
referencing old table as former
for each statement execute function app.note_withdrawals();
