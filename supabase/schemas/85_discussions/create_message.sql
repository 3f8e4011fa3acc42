create function api.create_message(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_discussion app.discussions := app.require_discussion(p_args);
  v_message_id uuid := app.put_message(
    v_discussion.id, (p_args ->> 'parentMessageId')::uuid, app.text_argument(p_args, 'text'), (p_args ->> 'assetId')::uuid
  );
begin
  return app.listed_messages(v_discussion.hub_id, array(select m from app.messages as m where m.id = v_message_id)) -> 0;
end
$$;
comment on function api.create_message(jsonb) is 'POST /hubs/{hubId}/discussions/{discussionId}/messages (spec.md G, contract.md 8). Takes hubId, discussionId, parentMessageId, text, assetId; answers the message. Raises UNAUTHORIZED, FORBIDDEN below level 4, HUB_NOT_FOUND, DISCUSSION_NOT_FOUND, MESSAGE_NOT_FOUND, VALIDATION_FAILED for an asset that is no post image of the caller''s.';

revoke all on function api.create_message(jsonb) from public;
grant execute on function api.create_message(jsonb) to authenticated;
