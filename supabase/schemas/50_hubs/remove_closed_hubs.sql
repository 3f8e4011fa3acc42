create function app.remove_closed_hubs()
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_hub_id uuid := (
    select h.id from app.hubs as h where h.closed_at is not null order by h.closed_at limit 1 for update skip locked
  );
begin
  delete from app.messages as m
  where m.id in (
    select old.id
    from app.discussions as d
    join app.messages as old on old.discussion_id = d.id
    where d.hub_id = v_hub_id
    limit 5000
  );
  if found then
    return;
  end if;
  delete from app.placements as p
  where (p.post_id, p.hub_id) in (select old.post_id, old.hub_id from app.placements as old where old.hub_id = v_hub_id limit 1000);
  if found then
    return;
  end if;
  delete from app.feed_events as e where e.ctid in (select old.ctid from app.feed_events as old where old.hub_id = v_hub_id limit 5000);
  if found then
    return;
  end if;
  delete from app.notifications as n
  where n.id in (
    select old.id from app.events as e join app.notifications as old on old.event_id = e.id where e.hub_id = v_hub_id limit 5000
  );
  if found then
    return;
  end if;
  delete from app.events as e where e.id in (select old.id from app.events as old where old.hub_id = v_hub_id limit 5000);
  if found then
    return;
  end if;
  delete from app.pending_totals as t
  where t.ctid in (select old.ctid from app.pending_totals as old where old.hub_id = v_hub_id limit 5000);
  if found then
    return;
  end if;
  delete from app.hubs as h where h.id = v_hub_id;
end
$$;
comment on function app.remove_closed_hubs() is 'Upkeep: removes a part of the Hub that closed first: what was said in it, what was placed, what happened and who was told, which votes wait for it, and then itself.';

revoke all on function app.remove_closed_hubs() from public;
grant execute on function app.remove_closed_hubs() to opine_worker;
