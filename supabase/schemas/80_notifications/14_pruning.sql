-- Deletes notifications older than p_days, then the events of that age that have none, at most 5,000 of each.
--
-- It takes the rows in the order of their ids, which hold their time, so it needs no index on times and ends
-- at the first id of the horizon. It skips locked rows and waits for no other transaction that touches
-- inboxes; the next run takes them. Triggers of app.notifications keep counts and versions. The queues of
-- deliveries drop rows without their notification. Returns whether there may be more.
create function app.prune_notifications(p_days integer) returns boolean
language plpgsql security definer set search_path = ''
-- Forces index scans in the order of ids: a plan made for few old rows would read and sort all of many.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_limit integer := 5000;
  v_until timestamptz := app.now() - make_interval(days => p_days);
  v_end uuid := app.first_id_at(v_until);
  v_count integer;
begin
  with old as materialized (
    select n.id, n.recipient_id
    from app.notifications as n
    where n.id < v_end and n.created_at <= v_until
    order by n.id
    limit v_limit
    for update skip locked
  )
  delete from app.notifications as n using old where n.id = old.id and n.recipient_id = old.recipient_id;
  get diagnostics v_count = row_count;
  -- The events come last, because a search for those without notifications would pass all others again and
  -- again.
  if v_count = v_limit then
    return true;
  end if;
  delete from app.events
  where id in (
    select e.id
    from app.events as e
    where e.id < v_end and e.occurred_at <= v_until
      and not exists (select from app.notifications as n where n.event_id = e.id)
      and not exists (select from app.fan_outs as f where f.event_id = e.id)
    order by e.id
    limit v_limit
    for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count = v_limit;
end
$$;
comment on function app.prune_notifications is 'Upkeep: deletes old notifications (docs/product.md N32).';
grant execute on function app.prune_notifications to opine_worker;
