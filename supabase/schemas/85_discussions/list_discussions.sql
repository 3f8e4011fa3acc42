create function api.list_discussions(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_member(v_hub_id);
  v_page := array(
    select (d.last_activity_at, d.id)::app.list_entry
    from app.discussions as d
    where d.hub_id = v_hub_id and (d.last_activity_at, d.id) < (v_from.at, v_from.id)
    order by d.last_activity_at desc, d.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.listed_discussions(v_hub_id, v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_discussions(jsonb) is 'GET /hubs/{hubId}/discussions (spec.md G, contract.md 8). Takes hubId, cursor, limit; answers items, last active first, and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_discussions(jsonb) from public;
grant execute on function api.list_discussions(jsonb) to authenticated;
