create function app.first_shown(p_events app.feed_entry[], p_place app.feed_place)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  v_before uuid[] := '{}'::uuid[];
begin
  if p_place.at <> 'infinity' then
    v_before := app.shown_before(array(select distinct event.id from unnest(p_events) as event), p_place);
  end if;
  return array(
    select newest
    from (
      select distinct on (event.id) event
      from unnest(p_events) as event
      order by event.id, event.at desc
    ) as frame (newest)
    join app.posts as p on p.id = (newest).id
    where (newest).id <> all (v_before)
    order by (newest).at desc, (newest).id desc
  );
end
$$;
comment on function app.first_shown(app.feed_entry[], app.feed_place) is 'Of these events behind p_place the newest of each post that the caller may see, but for posts whose place is before it.';

revoke all on function app.first_shown(app.feed_entry[], app.feed_place) from public;
grant execute on function app.first_shown(app.feed_entry[], app.feed_place) to authenticated;
