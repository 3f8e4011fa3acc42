create table app.join_requests (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  source app.join_request_source not null,
  state app.join_request_state not null default 'pending_admin_approval',
  created_at timestamptz not null default app.now()
);
comment on table app.join_requests is 'Who asked to become a member of a Hub (spec.md "Hub membership").';

create unique index join_requests_pending_key on app.join_requests (hub_id, user_id) where state = 'pending_admin_approval';
create index join_requests_hub_id_idx on app.join_requests (hub_id, created_at desc, id desc);
create index join_requests_user_id_idx on app.join_requests (user_id, created_at desc);

alter table app.join_requests enable row level security;

create policy join_requests_select on app.join_requests for select to authenticated
using (
  user_id = (select app.user_id())
  or hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager')
);

grant select on app.join_requests to authenticated;
