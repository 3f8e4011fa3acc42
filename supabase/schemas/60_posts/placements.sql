create table app.placements (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid not null references app.hubs (id) on delete cascade,
  placed_at timestamptz not null default app.now(),
  constraint placements_pkey primary key (post_id, hub_id)
);
comment on table app.placements is 'Which posts are in which Hubs (spec.md "Post visibility rules").';

create index placements_hub_id_idx on app.placements (hub_id, placed_at desc, post_id desc);

alter table app.placements enable row level security;

create policy placements_select on app.placements for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));

grant select on app.placements to anon, authenticated;
