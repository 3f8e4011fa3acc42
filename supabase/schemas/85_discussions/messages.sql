create table app.messages (
  id uuid primary key default app.uuid_v7(),
  discussion_id uuid not null references app.discussions (id) on delete cascade,
  author_id uuid references app.users (id) on delete set null,
  parent_id uuid,
  body text,
  asset_id uuid references app.assets (id) on delete restrict,
  reply_count integer not null default 0,
  created_at timestamptz not null default app.now(),
  constraint messages_id_discussion_id_key unique (id, discussion_id),
  constraint messages_parent_is_beside foreign key (parent_id, discussion_id) references app.messages (id, discussion_id) on delete cascade,
  constraint messages_have_content check (num_nonnulls(body, asset_id) > 0 or author_id is null),
  constraint messages_body_length check (char_length(body) between 1 and 2000),
  constraint messages_replies_have_none check (parent_id is null or reply_count = 0)
);
comment on table app.messages is 'Messages of Hub discussions, in threads of one level.';
comment on column app.messages.author_id is 'Null where the account has ended: what it wrote stays as anonymous history, its pictures do not.';

create index messages_roots_idx on app.messages (discussion_id, created_at, id) where parent_id is null;
create index messages_parent_id_idx on app.messages (parent_id, discussion_id, created_at, id);
create index messages_discussion_id_idx on app.messages (discussion_id, created_at, id);
create index messages_author_id_idx on app.messages (author_id);
create index messages_asset_id_idx on app.messages (asset_id);

alter table app.messages enable row level security;

create policy messages_select on app.messages for select to authenticated
using (exists (select from app.discussions as d where d.id = messages.discussion_id));

grant select on app.messages to anon, authenticated;

create trigger messages_release_assets_after_update after update on app.messages
referencing old table as former
for each statement execute function app.release_assets('asset_id');

create trigger messages_release_assets_after_delete after delete on app.messages
referencing old table as former
for each statement execute function app.release_assets('asset_id');
