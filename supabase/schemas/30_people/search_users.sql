create function api.search_users(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.search_key(app.text_argument(p_args, 'q', 1, 80));
  v_hits app.search_hit[];
begin
  perform app.require_arguments(p_args, 'q');
  if v_query <> '' then
    v_hits := array(select hit from app.find_people(v_query, app.decode_hit(p_args ->> 'cursor'), v_limit + 1) as hit);
  end if;
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.found_person(p) order by hit.place), '[]')
      from unnest(v_hits[:v_limit]) with ordinality as hit (tier, key, id, place)
      join app.profiles as p on p.user_id = hit.id
    ),
    'nextCursor', case when cardinality(v_hits) > v_limit then app.encode_hit(v_hits[v_limit]) end
  );
end
$$;
comment on function api.search_users(jsonb) is 'GET /search/users (spec.md H, contract.md 8). Takes q, cursor, limit; answers items (people, with viewerFollows for a caller who has a session), best first, and nextCursor. Raises VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.search_users(jsonb) from public;
grant execute on function api.search_users(jsonb) to anon, authenticated;
