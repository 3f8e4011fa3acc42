create table app.member_names (
  hub_id uuid not null,
  name text collate "C" not null,
  user_id uuid not null,
  constraint member_names_pkey primary key (hub_id, name, user_id),
  constraint member_names_are_of_members foreign key (hub_id, user_id) references app.memberships (hub_id, user_id) on delete cascade
);
comment on table app.member_names is 'What the members of a Hub are called: username, and display name from each of its words on, as searches compare them (see app.names_of). In byte order and by Hub, so that looking for a member is a range of the index.';

create index member_names_user_id_idx on app.member_names (user_id, hub_id, name);

alter table app.member_names enable row level security;

create policy member_names_select on app.member_names for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));

grant select on app.member_names to authenticated;
