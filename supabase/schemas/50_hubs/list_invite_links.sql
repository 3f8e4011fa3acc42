create function api.list_invite_links(jsonb)
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
    select (l.created_at, l.id)::app.list_entry
    from app.invite_links as l
    where l.hub_id = v_hub_id and l.expires_at > app.now() and (l.created_at, l.id) < (v_from.at, v_from.id)
    order by l.created_at desc, l.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.listed_links(v_page[:v_limit]),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_invite_links(jsonb) is 'GET /hubs/{hubId}/invite-links (spec.md G, contract.md 8): those that have not expired. Takes hubId, cursor, limit; answers items, newest first, and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, FORBIDDEN for a member who is no more than that, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_invite_links(jsonb) from public;
grant execute on function api.list_invite_links(jsonb) to authenticated;
