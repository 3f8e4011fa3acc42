create function api.unsave_discussion(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
begin
  delete from app.saved_discussions as s where s.user_id = app.user_id() and s.discussion_id = v_discussion.id;
  return '{"saved": false}'::jsonb;
end
$$;
comment on function api.unsave_discussion(jsonb) is 'DELETE /hubs/{hubId}/discussions/{discussionId}/save (spec.md G). Takes hubId, discussionId; answers saved. Raises UNAUTHORIZED, FORBIDDEN below level 4, HUB_NOT_FOUND, DISCUSSION_NOT_FOUND.';

revoke all on function api.unsave_discussion(jsonb) from public;
grant execute on function api.unsave_discussion(jsonb) to authenticated;
