create table app.placements (
  post_id uuid not null references app.posts (id) on delete cascade,
  hub_id uuid not null references app.hubs (id) on delete cascade,
  kind app.placement_kind not null default 'targeted',
  placed_by uuid references app.users (id) on delete set null,
  placed_at timestamptz not null default app.now(),
  last_shared_at timestamptz not null default app.now(),
  constraint placements_pkey primary key (post_id, hub_id)
);
comment on table app.placements is 'Which posts are in which Hubs, whether from the beginning or shared onward (spec.md "Post visibility rules").';
comment on column app.placements.placed_by is 'Whose doing it was; null where that account has ended. Cards never say (spec.md "Post frame").';
comment on column app.placements.last_shared_at is 'When it was placed, or last shared there again: the order of the Hub''s feed. Who shared it last stands in app.feed_events.';

create index placements_hub_id_idx on app.placements (hub_id, last_shared_at desc, post_id desc);
create index placements_placed_by_idx on app.placements (placed_by);

alter table app.placements enable row level security;

create policy placements_select on app.placements for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));

create policy placements_insert on app.placements for insert to authenticated
with check (
  placed_by = (select app.user_id())
  and hub_id in (select mine.hub_id from app.my_hubs as mine)
  and app.may_place(post_id, kind)
);

create policy placements_update on app.placements for update to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine))
with check (hub_id in (select mine.hub_id from app.my_hubs as mine) and app.may_place(post_id, 'shared'));

grant select (post_id, hub_id, kind, placed_at, last_shared_at) on app.placements to anon, authenticated;
grant insert (post_id, hub_id, kind, placed_by) on app.placements to authenticated;
grant update (last_shared_at) on app.placements to authenticated;

create trigger placements_hold_post_before_insert before insert on app.placements
for each row execute function app.hold_post('post_id');

create trigger placements_note_after_insert after insert on app.placements
referencing new table as present
for each statement execute function app.note_placements();

create trigger placements_share_again_before_update before update of last_shared_at on app.placements
for each row execute function app.on_placements_share_again();
