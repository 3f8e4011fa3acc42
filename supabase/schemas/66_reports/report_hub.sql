create function api.report_hub(jsonb)
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
  return app.put_report(p_args, p_hub_id => (p_args ->> 'hubId')::uuid);
end
$$;
comment on function api.report_hub(jsonb) is 'POST /reports/hubs/{hubId} (spec.md F, contract.md 7). Takes hubId, reason, details; answers reportId and state. Raises UNAUTHORIZED, HUB_NOT_FOUND.';

revoke all on function api.report_hub(jsonb) from public;
grant execute on function api.report_hub(jsonb) to authenticated;
