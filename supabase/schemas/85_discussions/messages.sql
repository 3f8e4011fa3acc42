create table app.messages (
  id uuid primary key default app.uuid_v7(),
  discussion_id uuid not null,
  hub_id uuid not null,
  author_id uuid references app.users (id) on delete set null,
  parent_id uuid,
  body text,
  asset_id uuid references app.assets (id) on delete restrict,
  reply_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint messages_id_discussion_id_key unique (id, discussion_id),
  constraint messages_are_of_discussions foreign key (discussion_id, hub_id) references app.discussions (id, hub_id) on delete cascade,
  constraint messages_parent_is_beside foreign key (parent_id, discussion_id) references app.messages (id, discussion_id) on delete cascade,
  constraint messages_have_content check (num_nonnulls(body, asset_id) > 0 or author_id is null),
  constraint messages_body_length check (char_length(body) between 1 and 2000),
  constraint messages_body_visible check (app.has_visible_character(body)),
  constraint messages_replies_have_none check (parent_id is null or reply_count = 0)
);
comment on table app.messages is 'Messages of Hub discussions, in threads of one level.';
comment on column app.messages.hub_id is 'The discussion''s, for the policy: looking each discussion up would cost more than the message.';
comment on column app.messages.author_id is 'Null where the account has ended: what it wrote stays as anonymous history, its pictures do not.';

create index messages_roots_idx on app.messages (discussion_id, created_at, id) where parent_id is null;
create index messages_parent_id_idx on app.messages (parent_id, discussion_id, created_at, id);
create index messages_discussion_id_idx on app.messages (discussion_id, created_at, id);
create index messages_hub_id_idx on app.messages (discussion_id, hub_id);
create index messages_author_id_idx on app.messages (author_id);
create index messages_asset_id_idx on app.messages (asset_id);

alter table app.messages enable row level security;

create policy messages_select on app.messages for select to authenticated
using (
  hub_id in (select mine.hub_id from app.my_hubs as mine)
  and (author_id is null or author_id not in (select s.user_id from app.suspensions as s))
);

grant select on app.messages to anon, authenticated;

-- By row: a reply changes its root's number alone.
create trigger messages_release_asset_after_update after update of asset_id on app.messages
for each row when (old.asset_id is distinct from new.asset_id)
execute function app.release_asset('asset_id');

create trigger messages_release_asset_after_delete after delete on app.messages
for each row when (old.asset_id is not null)
execute function app.release_asset('asset_id');
