create function api.get_hub_feed(jsonb)
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
  return app.feed(p_args);
end
$$;
comment on function api.get_hub_feed(jsonb) is 'GET /hubs/{hubId}/feed (spec.md G). Takes hubId, cursor, limit; answers items (cards with feedContext), last placed first, and nextCursor. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.get_hub_feed(jsonb) from public;
grant execute on function api.get_hub_feed(jsonb) to authenticated;
