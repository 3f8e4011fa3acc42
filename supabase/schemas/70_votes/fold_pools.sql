create function app.fold_pools(p_generation smallint default null)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_generation smallint := coalesce(p_generation, 1 - app.slot_generation());
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_pools'));
  with folded as (
    delete from app.vote_slots where generation = v_generation returning *
  ),
  -- Who goes meanwhile is waited for, and passed over.
  held_posts as materialized (
    select p.id from app.posts as p where p.id in (select f.post_id from folded as f) order by p.id for key share
  ),
  held_hubs as materialized (
    select h.id from app.hubs as h where h.id in (select f.hub_id from folded as f) order by h.id for key share
  )
  insert into app.vote_pools as base (
    post_id, hub_id, strong_left_count, left_count, neutral_count, right_count, strong_right_count
  )
  select
    f.post_id, f.hub_id,
    sum(f.strong_left_count), sum(f.left_count), sum(f.neutral_count), sum(f.right_count), sum(f.strong_right_count)
  from folded as f
  join held_posts as p on p.id = f.post_id
  where f.hub_id is null or f.hub_id in (select h.id from held_hubs as h)
  group by f.post_id, f.hub_id
  on conflict (post_id, scope_id) do update set
    strong_left_count = base.strong_left_count + excluded.strong_left_count,
    left_count = base.left_count + excluded.left_count,
    neutral_count = base.neutral_count + excluded.neutral_count,
    right_count = base.right_count + excluded.right_count,
    strong_right_count = base.strong_right_count + excluded.strong_right_count;
end
$$;
comment on function app.fold_pools(smallint) is 'The fold of pools: moves into them what the slots of a generation counted; unless told otherwise of the one that rests, so that no vote waits for it. One statement, so that every reader sees a vote exactly once.';

revoke all on function app.fold_pools(smallint) from public;
grant execute on function app.fold_pools(smallint) to opine_worker;
