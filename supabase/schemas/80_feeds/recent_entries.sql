create function app.recent_entries(p_hub_id uuid, p_is_own boolean, p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_hub_id is not null then
    return app.hub_entries(p_hub_id, p_place, p_limit);
  elsif p_is_own then
    return app.home_entries(p_place, p_limit);
  end if;
  return app.default_entries(p_place, p_limit);
end
$$;
comment on function app.recent_entries(uuid, boolean, app.feed_place, integer) is 'The first posts behind p_place of a feed of the caller''s, newest first. Args: the Hub, null for the home feed; whether the home feed has sources; the place; how many.';

revoke all on function app.recent_entries(uuid, boolean, app.feed_place, integer) from public;
grant execute on function app.recent_entries(uuid, boolean, app.feed_place, integer) to anon, authenticated;
