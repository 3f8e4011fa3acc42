create function api.report_post(jsonb)
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
  return app.put_report(p_args, p_post_id => (p_args ->> 'postId')::uuid);
end
$$;
comment on function api.report_post(jsonb) is 'POST /reports/posts/{postId} (spec.md F, contract.md 7). Takes postId, reason, details; answers reportId and state. Raises UNAUTHORIZED, POST_NOT_FOUND.';

revoke all on function api.report_post(jsonb) from public;
grant execute on function api.report_post(jsonb) to authenticated;
