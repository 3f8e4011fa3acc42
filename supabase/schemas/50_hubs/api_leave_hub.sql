create function api.leave_hub(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.leave_hub((p_args ->> 'hubId')::uuid);
  return '{}'::jsonb;
end
$$;
comment on function api.leave_hub(jsonb) is 'DELETE /hubs/{hubId}/membership (spec.md G). Takes hubId; answers {}. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, LAST_ADMIN.';

revoke all on function api.leave_hub(jsonb) from public;
grant execute on function api.leave_hub(jsonb) to authenticated;
