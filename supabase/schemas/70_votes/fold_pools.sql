create function app.fold_pools(p_generation smallint default null)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_generation smallint := coalesce(p_generation, 1 - app.slot_generation())::smallint;
  v_votes record;
begin
  perform pg_advisory_xact_lock(hashtext('app.fold_pools'));
  for v_votes in
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
    select
      f.post_id, f.hub_id,
      row(
        sum(f.strong_left_count), sum(f.left_count), sum(f.neutral_count), sum(f.right_count), sum(f.strong_right_count)
      )::app.position_counts as counts
    from folded as f
    join held_posts as p on p.id = f.post_id
    where f.hub_id is null or f.hub_id in (select h.id from held_hubs as h)
    group by f.post_id, f.hub_id
    order by f.post_id, f.hub_id
  loop
    perform app.add_to_pool(v_votes.post_id, v_votes.hub_id, v_votes.counts);
  end loop;
end
$$;
comment on function app.fold_pools(smallint) is 'The fold of pools: moves into them what the slots of a generation counted; unless told otherwise of the one that rests, so that no vote waits for it. One transaction, so that every reader sees a vote exactly once.';

revoke all on function app.fold_pools(smallint) from public;
grant execute on function app.fold_pools(smallint) to opine_worker;
