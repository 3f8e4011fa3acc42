create table app.blocks (
  blocker_id uuid not null references app.users (id) on delete cascade,
  blocked_id uuid not null references app.users (id) on delete cascade,
  created_at timestamptz not null default app.now(),
  constraint blocks_pkey primary key (blocker_id, blocked_id),
  constraint blocks_are_of_others check (blocker_id <> blocked_id)
);
comment on table app.blocks is 'Who has blocked whom. Read through app.blockers, app.blocked_users and app.blocked_pairs.';

create index blocks_blocker_id_created_at_idx on app.blocks (blocker_id, created_at desc, blocked_id desc);
create index blocks_blocked_id_idx on app.blocks (blocked_id);

alter table app.blocks enable row level security;

create policy blocks_select on app.blocks for select to authenticated
using ((select app.user_id()) in (blocker_id, blocked_id));

create policy blocks_delete on app.blocks for delete to authenticated
using (blocker_id = (select app.user_id()));

-- No policy lets a guest see a row; the policies that ask for blocks are theirs as well.
grant select on app.blocks to anon, authenticated;
grant delete on app.blocks to authenticated;

create trigger blocks_note_inboxes_after_change after insert or delete on app.blocks
for each row execute function app.note_inbox_scopes('blocker_id', 'blocked_id');
