create function app.fold_presence()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  with folded as (
    delete from app.hub_presence where not is_folded returning *
  )
  insert into app.hub_presence as base (hub_id, seen_in, member_count, is_folded)
  select f.hub_id, f.seen_in, sum(f.member_count), true
  from folded as f
  group by f.hub_id, f.seen_in
  having sum(f.member_count) <> 0
  order by f.hub_id, f.seen_in
  on conflict (hub_id, seen_in) where is_folded do update set member_count = base.member_count + excluded.member_count;
end;
comment on function app.fold_presence() is 'Upkeep: makes one row of each Hub''s five minutes. One statement, so that every reader sees a member exactly once.';

revoke all on function app.fold_presence() from public;
grant execute on function app.fold_presence() to opine_worker;
