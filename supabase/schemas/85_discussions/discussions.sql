create table app.discussions (
  id uuid primary key default app.uuid_v7(),
  hub_id uuid not null,
  post_id uuid not null,
  message_count integer not null default 0,
  last_activity_at timestamptz not null default app.now(),
  constraint discussions_one_a_placement unique (post_id, hub_id),
  constraint discussions_id_hub_id_key unique (id, hub_id),
  constraint discussions_are_of_placements foreign key (post_id, hub_id) references app.placements (post_id, hub_id) on delete cascade,
  constraint discussions_message_count_is_not_negative check (message_count >= 0)
);
comment on table app.discussions is 'What the members of a Hub say about a post in it: one discussion a placement, there from its beginning.';

create index discussions_hub_id_idx on app.discussions (hub_id, last_activity_at desc, id desc);

alter table app.discussions enable row level security;

create policy discussions_select on app.discussions for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));

grant select on app.discussions to authenticated;
