create function api.approve_join_request(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.decide_join_request((p_args ->> 'hubId')::uuid, (p_args ->> 'requestId')::uuid, 'approved');
  return jsonb_build_object('id', (p_args ->> 'requestId')::uuid, 'state', 'approved');
end
$$;
comment on function api.approve_join_request(jsonb) is 'POST /hubs/{hubId}/join-requests/{requestId}/approve (spec.md G, "Hub membership"). Takes hubId, requestId; answers id and state. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for who is no admin, HUB_NOT_FOUND, JOIN_REQUEST_NOT_FOUND, JOIN_REQUEST_NOT_PENDING.';

revoke all on function api.approve_join_request(jsonb) from public;
grant execute on function api.approve_join_request(jsonb) to authenticated;
