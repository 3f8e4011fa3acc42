create function api.report_user(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  return app.put_report(p_args, p_user_id => (p_args ->> 'userId')::uuid);
end
$$;
comment on function api.report_user(jsonb) is 'POST /reports/users/{userId} (spec.md F, contract.md 7). Takes userId, reason, details; answers reportId and state. Raises UNAUTHORIZED, USER_NOT_FOUND.';

revoke all on function api.report_user(jsonb) from public;
grant execute on function api.report_user(jsonb) to authenticated;
