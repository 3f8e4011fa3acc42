-- It exists from the placement on.
create table app.discussions (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null,
  post_id uuid not null,
  message_count integer not null default 0,
  last_activity_at timestamptz not null default app.now(),
  is_hidden boolean not null default false,
  constraint discussions_one_per_placement unique (post_id, hub_id),
  constraint discussions_id_hub_id_key unique (id, hub_id),
  constraint discussions_are_of_placements foreign key (post_id, hub_id) references app.placements (post_id, hub_id)
    on delete cascade,
  constraint discussions_message_count_is_not_negative check (message_count >= 0)
);
comment on table app.discussions is
  'One row per placement: what the members of a Hub say about a post in it (docs/product.md D1).';
comment on column app.discussions.last_activity_at is
  'The time of the latest message, deleted ones included, or of the placement.';
comment on column app.discussions.is_hidden is
  'Whether staff has removed the post: the discussion is hidden with it. A copy of posts.removed_at, which no caller '
  'may read.';
comment on column app.discussions.message_count is 'The number of messages with content.';
create index discussions_hub_id_idx on app.discussions (hub_id, last_activity_at desc, id desc);
alter table app.discussions enable row level security;
-- Guests see no row, but the policy of assets, which applies to guests, reads this table.
grant select on app.discussions to anon, authenticated;

create table app.messages (
  id uuid primary key default app.uuid_v7(),
  discussion_id uuid not null,
  hub_id uuid not null,
  author_id uuid references app.users (id) on delete set null,
  parent_id uuid,
  body text,
  asset_id uuid references app.assets (id) on delete restrict,
  alt_text text,
  is_deleted boolean not null generated always as (num_nonnulls(body, asset_id) = 0) stored,
  reply_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint messages_id_discussion_id_key unique (id, discussion_id),
  constraint messages_are_of_discussions foreign key (discussion_id, hub_id) references app.discussions (id, hub_id)
    on delete cascade,
  constraint messages_parent_has_same_discussion foreign key (parent_id, discussion_id)
    references app.messages (id, discussion_id) on delete cascade,
  constraint messages_have_content check (author_id is null or not is_deleted),
  constraint messages_body_length check (char_length(body) between 1 and 2000),
  constraint messages_body_visible check (app.has_visible_character(body)),
  constraint messages_alt_text_is_of_asset check (alt_text is null or asset_id is not null),
  constraint messages_alt_text_length check (char_length(alt_text) between 1 and 500),
  constraint messages_alt_text_visible check (app.has_visible_character(alt_text)),
  constraint messages_replies_have_none check (parent_id is null or reply_count = 0)
);
comment on table app.messages is 'One row per message of a discussion, in threads of one level (docs/product.md D3).';
comment on column app.messages.is_deleted is 'Whether the message has no content any more; it stays for its replies.';
comment on column app.messages.created_at is
  'Grows in the order of commits within a discussion, so no cursor or read mark passes a message that is committed '
  'later.';
comment on column app.messages.hub_id is
  'The Hub of the discussion, copied for the policy: a look-up of the discussion would cost more than reading the '
  'message.';
comment on column app.messages.author_id is
  'Null after account deletion, which keeps the text and removes the picture, and after removal by staff or deletion '
  'of a root with replies, which remove both.';
create index messages_roots_idx on app.messages (discussion_id, created_at, id) where parent_id is null;
create index messages_parent_id_idx on app.messages (parent_id, discussion_id, created_at, id);
-- Includes the author, so that app.discussed_posts counts unread messages from the index alone.
create index messages_discussion_id_idx on app.messages (discussion_id, created_at, id) include (author_id)
where not is_deleted;
create index messages_hub_id_idx on app.messages (discussion_id, hub_id);
create index messages_author_id_idx on app.messages (author_id);
create index messages_asset_id_idx on app.messages (asset_id);
alter table app.messages enable row level security;
grant select on app.messages to anon, authenticated;

-- A row outlives the membership: lists omit it until its owner is a member again.
create table app.saved_discussions (
  user_id uuid not null references app.users (id) on delete cascade,
  discussion_id uuid not null references app.discussions (id) on delete cascade,
  saved_at timestamptz not null default app.now(),
  constraint saved_discussions_pkey primary key (user_id, discussion_id)
);
comment on table app.saved_discussions is 'One row per person and saved discussion (docs/product.md D6).';
create index saved_discussions_discussion_id_idx on app.saved_discussions (discussion_id);
create index saved_discussions_saved_at_idx on app.saved_discussions (user_id, saved_at desc, discussion_id desc);
alter table app.saved_discussions enable row level security;
grant select on app.saved_discussions to authenticated;
grant insert (user_id, discussion_id) on app.saved_discussions to authenticated;
grant delete on app.saved_discussions to authenticated;

-- A row outlives the membership, as in app.saved_discussions.
create table app.discussion_reads (
  user_id uuid not null references app.users (id) on delete cascade,
  discussion_id uuid not null references app.discussions (id) on delete cascade,
  read_until timestamptz not null,
  constraint discussion_reads_pkey primary key (user_id, discussion_id)
);
comment on table app.discussion_reads is
  'One row per person and discussion that they marked as read: their read mark (docs/product.md D10).';
comment on column app.discussion_reads.read_until is 'The created_at of the latest message that the person has read.';
create index discussion_reads_discussion_id_idx on app.discussion_reads (discussion_id);
alter table app.discussion_reads enable row level security;
grant select on app.discussion_reads to authenticated;
grant insert (user_id, discussion_id, read_until) on app.discussion_reads to authenticated;
grant update (read_until) on app.discussion_reads to authenticated;

-- Row-level: every reply updates its root, and only a trigger without transition tables can name a column.
create trigger messages_release_asset_after_update after update of asset_id on app.messages
for each row when (old.asset_id is distinct from new.asset_id)
execute function app.delete_former_asset('asset_id');

create trigger messages_release_asset_after_delete after delete on app.messages
for each row when (old.asset_id is not null)
execute function app.delete_former_asset('asset_id');
