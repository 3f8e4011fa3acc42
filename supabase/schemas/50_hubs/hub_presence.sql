create table app.hub_presence (
  hub_id uuid not null references app.hubs (id) on delete cascade,
  seen_in timestamptz not null,
  member_count integer not null,
  constraint hub_presence_pkey primary key (hub_id, seen_in)
);
comment on table app.hub_presence is 'How many members of a Hub were last seen in which five minutes (which begin at seen_in), kept by the triggers of app.memberships: activeUsers24h is the sum of a day, however many members there are.';

create index hub_presence_seen_in_idx on app.hub_presence (seen_in);

alter table app.hub_presence enable row level security;

create policy hub_presence_select on app.hub_presence for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));

grant select on app.hub_presence to authenticated;
