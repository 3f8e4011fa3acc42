create function app.trending_entries(p_hub_id uuid, p_is_own boolean, p_place app.feed_place, p_limit integer)
returns app.feed_entry[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_place app.feed_place := p_place;
  v_size integer := p_limit;
  v_batch app.feed_entry[];
  v_found app.feed_entry[] := '{}'::app.feed_entry[];
begin
  while v_place.part = 'active' and cardinality(v_found) < p_limit loop
    v_batch := app.active_entries(p_hub_id, p_is_own, v_place, p_limit);
    v_found := v_found || array(
      select (entry.at, entry.id, entry.kind)::app.feed_entry
      from unnest(v_batch) with ordinality as entry (at, id, kind, place)
      join app.posts as p on p.id = entry.id
      order by entry.place
    );
    if cardinality(v_batch) = p_limit then
      v_place.at := v_batch[p_limit].at;
      v_place.id := v_batch[p_limit].id;
    else
      v_place.part := 'quiet';
      v_place.at := v_place.began_at;
      v_place.id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    end if;
  end loop;
  while cardinality(v_found) < p_limit loop
    v_batch := app.recent_entries(p_hub_id, p_is_own, v_place, v_size);
    v_found := v_found || array(
      select (entry.at, entry.id, entry.kind)::app.feed_entry
      from unnest(v_batch) with ordinality as entry (at, id, kind, place)
      where entry.id not in (
        select s.post_id from app.scores_then(array(select batch.id from unnest(v_batch) as batch), v_place) as s
      )
      order by entry.place
    );
    exit when cardinality(v_batch) < v_size;
    v_place.at := v_batch[v_size].at;
    v_place.id := v_batch[v_size].id;
    v_size := least(2 * v_size, 500);
  end loop;
  return v_found[:p_limit];
end
$$;
comment on function app.trending_entries(uuid, boolean, app.feed_place, integer) is 'The first posts behind p_place of a trending feed of the caller''s, all as of the beginning of the walk: those with activity in the seven days before, by trending score (their kind is null), then the others in the order of the recent feed. Args: the Hub, null for the home feed; whether the home feed has sources; the place; how many.';

revoke all on function app.trending_entries(uuid, boolean, app.feed_place, integer) from public;
grant execute on function app.trending_entries(uuid, boolean, app.feed_place, integer) to anon, authenticated;
