create function api.list_members(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid);
  return case when p_args ->> 'q' is null then app.members_page(p_args, 'member') else app.members_called(p_args) end;
end
$$;
comment on function api.list_members(jsonb) is 'GET /hubs/{hubId}/members (spec.md G, contract.md 8). Takes hubId, q, cursor, limit; answers items and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_members(jsonb) from public;
grant execute on function api.list_members(jsonb) to authenticated;
