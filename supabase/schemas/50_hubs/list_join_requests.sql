create function api.list_join_requests(jsonb)
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
  perform app.require_member(v_hub_id, 'manager');
  v_page := array(
    select (r.created_at, r.id)::app.list_entry
    from app.join_requests as r
    where r.hub_id = v_hub_id and r.state = 'pending_admin_approval' and (r.created_at, r.id) < (v_from.at, v_from.id)
    order by r.created_at desc, r.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.listed_join_requests(v_page[:v_limit]), 'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_join_requests(jsonb) is 'GET /hubs/{hubId}/join-requests (spec.md G, contract.md 8): those that are open. Takes hubId, cursor, limit; answers items, newest first, and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, FORBIDDEN for a member who is no more than that, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_join_requests(jsonb) from public;
grant execute on function api.list_join_requests(jsonb) to authenticated;
