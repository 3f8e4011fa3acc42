create function app.settle_pending(p_post_id uuid, p_keys text[], p_is_all boolean default false)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_placed_in uuid[];
  v_votes app.pending_votes;
begin
  -- Whoever shares the post does so before or after, not between.
  perform from app.posts as p where p.id = p_post_id for no key update;
  if not found then
    delete from app.pending_ballots where post_id = p_post_id;
    return;
  end if;
  v_placed_in := array(
    select h.id
    from app.hubs as h
    where h.id in (select p.hub_id from app.placements as p where p.post_id = p_post_id)
    order by h.id
    for key share
  );
  for v_votes in select * from app.take_ballots(p_post_id, p_keys, p_is_all) loop
    perform from app.hubs as h where h.id = v_votes.hub_id for key share;
    continue when not found or v_votes.cast_hour <= app.pending_since();
    perform app.add_to_pending(p_post_id, v_votes.hub_id, v_votes.cast_hour, v_votes.counts, p_keys[1]);
  end loop;
  -- Of votes that did not see the share beside them as well.
  for v_votes in select * from app.take_totals(p_post_id, v_placed_in, p_keys) loop
    if v_votes.cast_hour > app.pending_since() then
      perform app.add_to_pool(p_post_id, v_votes.hub_id, v_votes.counts);
    end if;
  end loop;
end
$$;
comment on function app.settle_pending(uuid, text[], boolean) is 'Settles the pending votes on a post that p_keys open: ballots, all or at most 100 of them, become part of the totals of their hour, and totals of Hubs in which the post is are counted for good.';

revoke all on function app.settle_pending(uuid, text[], boolean) from public;
