create table app.hub_mutes (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  constraint hub_mutes_pkey primary key (hub_id, user_id)
);
comment on table app.hub_mutes is 'Which people muted which Hubs (contentMuted). A mute outlives the membership and applies again to a member who comes back.';

create index hub_mutes_user_id_idx on app.hub_mutes (user_id);

alter table app.hub_mutes enable row level security;

create policy hub_mutes_select on app.hub_mutes for select to authenticated
using (user_id = (select app.user_id()));

create policy hub_mutes_insert on app.hub_mutes for insert to authenticated
with check (user_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine));

create policy hub_mutes_delete on app.hub_mutes for delete to authenticated
using (user_id = (select app.user_id()) and hub_id in (select mine.hub_id from app.my_hubs as mine));

grant select on app.hub_mutes to authenticated;
grant insert (hub_id, user_id) on app.hub_mutes to authenticated;
grant delete on app.hub_mutes to authenticated;
