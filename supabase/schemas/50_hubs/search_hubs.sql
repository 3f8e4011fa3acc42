create function api.search_hubs(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.search_key(app.text_argument(p_args, 'q', 1, 80));
  v_after app.search_hit := app.decode_hit(p_args ->> 'cursor');
  v_hits app.search_hit[];
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'q');
  if v_query <> '' then
    v_hits := array(select hit from app.find_hubs(v_query, v_after, v_limit + 1) as hit);
  end if;
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.hub_preview(h, app.standing_in(h.id)) order by hit.place), '[]')
      from unnest(v_hits[:v_limit]) with ordinality as hit (tier, key, id, place)
      join app.hubs as h on h.id = hit.id
    ),
    'nextCursor', case when cardinality(v_hits) > v_limit then app.encode_hit(v_hits[v_limit]) end
  );
end
$$;
comment on function api.search_hubs(jsonb) is 'GET /search/hubs (spec.md H, contract.md 8). Takes q, cursor, limit; answers previews, best first, and nextCursor. Raises UNAUTHORIZED, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.search_hubs(jsonb) from public;
grant execute on function api.search_hubs(jsonb) to authenticated;
