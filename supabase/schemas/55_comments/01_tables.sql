create table app.comments (
  id uuid primary key default app.uuid_v7(),
  post_id uuid not null references app.posts (id) on delete cascade,
  author_id uuid references app.users (id) on delete cascade,
  parent_id uuid,
  reply_to_id uuid,
  body text,
  asset_id uuid references app.assets (id) on delete restrict,
  alt_text text,
  reply_count integer not null default 0,
  is_hidden boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint comments_id_post_id_key unique (id, post_id),
  constraint comments_parent_has_same_post foreign key (parent_id, post_id) references app.comments (id, post_id)
    on delete cascade,
  constraint comments_answer_one_of_same_post foreign key (reply_to_id, post_id) references app.comments (id, post_id)
    on delete set null (reply_to_id),
  constraint comments_answers_are_replies check (reply_to_id is null or parent_id is not null),
  constraint comments_have_content check (author_id is null or num_nonnulls(body, asset_id) > 0),
  constraint comments_without_author_hold_a_thread check (
    author_id is not null or num_nonnulls(body, asset_id, parent_id) = 0
  ),
  constraint comments_body_length check (char_length(body) between 1 and 2000),
  constraint comments_body_visible check (app.has_visible_character(body)),
  constraint comments_alt_text_is_of_asset check (alt_text is null or asset_id is not null),
  constraint comments_alt_text_length check (char_length(alt_text) between 1 and 500),
  constraint comments_alt_text_visible check (app.has_visible_character(alt_text)),
  constraint comments_replies_have_none check (parent_id is null or reply_count = 0),
  constraint comments_reply_count_is_not_negative check (reply_count >= 0),
  constraint comments_hidden_have_an_author check (author_id is not null or not is_hidden)
);
comment on table app.comments is
  'One row per comment on a public post, in threads of one level (docs/product.md C1, C2).';
comment on column app.comments.reply_to_id is
  'The reply that this reply answers; null if it answers the first comment of the thread, which is parent_id.';
comment on column app.comments.author_id is
  'Null for a deleted comment with replies: it stays as the root of their thread.';
comment on column app.comments.reply_count is 'The number of replies that are not hidden.';
comment on column app.comments.is_hidden is
  'Whether a block between its author and the author of the post hides it (docs/product.md C7).';
create index comments_roots_idx on app.comments (post_id, created_at, id) where parent_id is null;
create index comments_post_id_idx on app.comments (post_id, author_id, created_at);
create index comments_parent_id_idx on app.comments (parent_id, post_id, created_at, id);
create index comments_reply_to_id_idx on app.comments (reply_to_id, post_id) where reply_to_id is not null;
create index comments_author_id_idx on app.comments (author_id);
create index comments_asset_id_idx on app.comments (asset_id);
alter table app.comments enable row level security;
grant select on app.comments to anon, authenticated;
grant insert (post_id, author_id, parent_id, reply_to_id, body, asset_id, alt_text) on app.comments to authenticated;

create trigger comments_lock_post_before_insert before insert on app.comments
for each row execute function app.lock_post('post_id');

-- Row-level: every reply updates its root, and only a trigger without transition tables can name a column.
create trigger comments_release_asset_after_update after update of asset_id on app.comments
for each row when (old.asset_id is distinct from new.asset_id)
execute function app.delete_former_asset('asset_id');

create trigger comments_release_asset_after_delete after delete on app.comments
for each row when (old.asset_id is not null)
execute function app.delete_former_asset('asset_id');
