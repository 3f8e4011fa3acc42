create function api.save_discussion(jsonb)
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
  perform app.hold_member(v_discussion.hub_id, p_hidden => 'DISCUSSION_NOT_FOUND');
  insert into app.saved_discussions (user_id, discussion_id)
  values (app.user_id(), v_discussion.id)
  on conflict (user_id, discussion_id) do nothing;
  return '{"saved": true}'::jsonb;
end
$$;
comment on function api.save_discussion(jsonb) is 'POST /hubs/{hubId}/discussions/{discussionId}/save (spec.md G). Takes hubId, discussionId; answers saved. Raises UNAUTHORIZED, FORBIDDEN below level 4, HUB_NOT_FOUND, DISCUSSION_NOT_FOUND.';

revoke all on function api.save_discussion(jsonb) from public;
grant execute on function api.save_discussion(jsonb) to authenticated;
