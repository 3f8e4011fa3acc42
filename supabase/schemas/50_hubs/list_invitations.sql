create function api.list_invitations(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_role app.hub_role := app.require_member(v_hub_id);
  v_limit integer := app.page_size(p_args, 30, 100);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  v_page := array(
    select (i.created_at, i.id)::app.list_entry
    from app.hub_invitations as i
    where i.hub_id = v_hub_id and (v_role > 'member' or i.inviter_id = app.user_id())
      and (i.created_at, i.id) < (v_from.at, v_from.id)
    order by i.created_at desc, i.id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', app.listed_invitations(v_hub_id, v_page[:v_limit]), 'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_invitations(jsonb) is 'GET /hubs/{hubId}/invitations (spec.md G, contract.md 8): managers and admins read all, members their own. Takes hubId, cursor, limit; answers items, newest first, and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_invitations(jsonb) from public;
grant execute on function api.list_invitations(jsonb) to authenticated;
