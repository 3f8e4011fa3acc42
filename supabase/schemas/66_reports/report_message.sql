create function api.report_message(jsonb)
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
  return app.put_report(p_args, p_message_id => (p_args ->> 'messageId')::uuid);
end
$$;
comment on function api.report_message(jsonb) is 'POST /reports/messages/{messageId} (docs/decisions/015-own-data.md). Takes messageId, reason, details; answers reportId and state. Raises UNAUTHORIZED, MESSAGE_NOT_FOUND.';

revoke all on function api.report_message(jsonb) from public;
grant execute on function api.report_message(jsonb) to authenticated;
