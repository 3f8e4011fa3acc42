create function app.on_placements_share_again()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_sharer_id uuid;
begin
  select e.actor_id into v_sharer_id
  from app.feed_events as e
  where e.post_id = old.post_id and e.source_id = old.hub_id and e.kind in ('targeted', 'shared_to_hub') and e.lost_at is null
  order by e.occurred_at desc, e.kind desc
  limit 1;
  if v_sharer_id = app.user_id() then
    return null;
  end if;
  new.last_shared_at := greatest(old.last_shared_at, app.now());
  insert into app.feed_events as e (hub_id, actor_id, post_id, kind, occurred_at)
  values (old.hub_id, app.user_id(), old.post_id, 'shared_to_hub', new.last_shared_at)
  on conflict (post_id, source_id, actor_id, kind) where lost_at is null
  do update set occurred_at = greatest(e.occurred_at, excluded.occurred_at);
  return new;
end
$$;
comment on function app.on_placements_share_again() is 'Before a member shares a post into a Hub where it is already: moves it up in the feeds of the Hub and of its other members, and notifies nobody. A repeat by the person who shared it there last changes nothing.';

revoke all on function app.on_placements_share_again() from public;
