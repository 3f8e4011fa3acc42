create function app.remove_closed_hubs() returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid := (select h.id from app.hubs as h where h.closed_at is not null order by h.closed_at limit 1);
begin
  -- No lock of the Hub: it comes after what is in it ("Lock order" in docs/architecture.md).
  if not pg_try_advisory_xact_lock(hashtext('app.remove_closed_hubs')) then
    return;
  end if;
  -- Posts come before what is about them in the lock order, and their deletion takes that along. Skip locked rows, which the next
  -- run removes.
  delete from app.messages as m
  where m.id in (
    select old.id
    from app.discussions as d
    join app.posts as post on post.id = d.post_id
    join app.messages as old on old.discussion_id = d.id
    where d.hub_id = v_hub_id
    limit 5000
    for key share of post skip locked
    for update of old skip locked
  );
  if found or exists (
    select from app.discussions as d join app.messages as m on m.discussion_id = d.id where d.hub_id = v_hub_id
  ) then
    return;
  end if;
  delete from app.placements as p
  where p.hub_id = v_hub_id and p.post_id in (
    select post.id
    from app.posts as post
    where post.id in (select old.post_id from app.placements as old where old.hub_id = v_hub_id limit 1000)
    for key share skip locked
  );
  if found or exists (select from app.placements as p where p.hub_id = v_hub_id) then
    return;
  end if;
  delete from app.feed_events as e
  where e.ctid in (
    select old.ctid
    from app.feed_events as old
    join app.posts as post on post.id = old.post_id
    where old.hub_id = v_hub_id
    limit 5000
    for key share of post skip locked
    for update of old skip locked
  );
  if found or exists (select from app.feed_events as e where e.hub_id = v_hub_id) then
    return;
  end if;
  delete from app.notifications as n
  where n.id in (
    select old.id
    from app.events as e
    join app.notifications as old on old.event_id = e.id
    where e.hub_id = v_hub_id
    limit 5000
    for update of old skip locked
  );
  if found or exists (
    select from app.events as e join app.notifications as n on n.event_id = e.id where e.hub_id = v_hub_id
  ) then
    return;
  end if;
  delete from app.events as e
  where e.id in (select old.id from app.events as old where old.hub_id = v_hub_id limit 5000 for update skip locked);
  if found or exists (select from app.events as e where e.hub_id = v_hub_id) then
    return;
  end if;
  delete from app.pending_totals as t
  where t.ctid in (select old.ctid from app.pending_totals as old where old.hub_id = v_hub_id limit 5000 for update skip locked);
  if found or exists (select from app.pending_totals as t where t.hub_id = v_hub_id) then
    return;
  end if;
  delete from app.vote_pools as v
  where v.ctid in (select old.ctid from app.vote_pools as old where old.hub_id = v_hub_id limit 1000 for update skip locked);
  if found or exists (select from app.vote_pools as v where v.hub_id = v_hub_id) then
    return;
  end if;
  delete from app.hubs as h where h.id = v_hub_id;
end
$$;
comment on function app.remove_closed_hubs is 'Upkeep: removes one batch of the Hub that closed first: its messages, placements, feed events, notifications, events, pending totals and pools, and finally the Hub.';
grant execute on function app.remove_closed_hubs to opine_worker;
