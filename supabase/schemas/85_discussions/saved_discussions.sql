create table app.saved_discussions (
  user_id uuid not null references app.users (id) on delete cascade,
  discussion_id uuid not null references app.discussions (id) on delete cascade,
  saved_at timestamptz not null default app.now(),
  constraint saved_discussions_pkey primary key (user_id, discussion_id)
);
comment on table app.saved_discussions is 'Which discussions people saved. A row outlives the membership: lists omit it until its owner is a member again.';

create index saved_discussions_discussion_id_idx on app.saved_discussions (discussion_id);
create index saved_discussions_saved_at_idx on app.saved_discussions (user_id, saved_at desc, discussion_id desc);

alter table app.saved_discussions enable row level security;

create policy saved_discussions_select on app.saved_discussions for select to authenticated
using (user_id = (select app.user_id()));

create policy saved_discussions_insert on app.saved_discussions for insert to authenticated
with check (
  user_id = (select app.user_id()) and exists (select from app.discussions as d where d.id = saved_discussions.discussion_id)
);

create policy saved_discussions_delete on app.saved_discussions for delete to authenticated
using (user_id = (select app.user_id()));

grant select on app.saved_discussions to authenticated;
grant insert (user_id, discussion_id) on app.saved_discussions to authenticated;
grant delete on app.saved_discussions to authenticated;
