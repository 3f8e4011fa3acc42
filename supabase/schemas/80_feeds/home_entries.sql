create function app.home_entries(p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_place app.feed_place := p_place;
  v_size integer := 2 * p_limit;
  v_events app.feed_entry[];
  v_known uuid[] := '{}'::uuid[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  loop
    v_events := array(select event from app.newest_events(v_place, v_size, v_known) as event);
    v_found := v_found || app.first_shown(v_events, p_place);
    exit when cardinality(v_found) >= p_limit or cardinality(v_events) < v_size;
    v_known := v_known || array(select distinct event.id from unnest(v_events) as event);
    v_place.at := v_events[v_size].at;
    v_place.id := v_events[v_size].id;
    v_size := least(2 * v_size, 2000);
  end loop;
  return v_found[:p_limit];
end
$$;
comment on function app.home_entries(app.feed_place, integer) is 'The first posts behind p_place of the caller''s home feed, each at its newest event.';

revoke all on function app.home_entries(app.feed_place, integer) from public;
grant execute on function app.home_entries(app.feed_place, integer) to authenticated;
