create function api.report_comment(jsonb)
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
  return app.put_report(p_args, p_comment_id => (p_args ->> 'commentId')::uuid);
end
$$;
comment on function api.report_comment(jsonb) is 'POST /reports/comments/{commentId} (docs/decisions/015-own-data.md). Takes commentId, reason, details; answers reportId and state. Raises UNAUTHORIZED, COMMENT_NOT_FOUND.';

revoke all on function api.report_comment(jsonb) from public;
grant execute on function api.report_comment(jsonb) to authenticated;
