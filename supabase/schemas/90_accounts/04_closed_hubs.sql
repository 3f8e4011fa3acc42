-- No lock of the Hub: it comes after what is in it ("Lock order" in docs/architecture.md).
create function app.prune_closed_hubs() returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_hub_id uuid := (select h.id from app.hubs as h where h.closed_at is not null order by h.closed_at limit 1);
begin
  if not pg_try_advisory_xact_lock(hashtext('app.prune_closed_hubs')) then
    return;
  end if;
  perform case
    when app.close_hub_discussions(v_hub_id) then true
    when app.close_hub_placements(v_hub_id) then true
    when app.close_hub_feed_events(v_hub_id) then true
    when app.close_hub_notifications(v_hub_id) then true
    when app.close_hub_votes(v_hub_id) then true
    else app.delete_closed_hub(v_hub_id)
  end;
end
$$;
comment on function app.prune_closed_hubs is
  'Upkeep: removes one batch of the Hub that closed first, and the Hub when nothing of it is left (docs/product.md '
  'H29).';
grant execute on function app.prune_closed_hubs to opine_worker;
