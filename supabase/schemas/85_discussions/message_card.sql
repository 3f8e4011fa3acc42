create function app.message_card(p_message app.messages, p_author jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'id', p_message.id,
    'discussionId', p_message.discussion_id,
    'parentMessageId', p_message.parent_id,
    'author', p_author,
    'text', p_message.body,
    'assetId', p_message.asset_id,
    'replyCount', p_message.reply_count,
    'createdAt', app.iso(p_message.created_at)
  );
end
$$;
comment on function app.message_card(app.messages, jsonb) is 'A message of a discussion (contract.md 8).';

revoke all on function app.message_card(app.messages, jsonb) from public;
grant execute on function app.message_card(app.messages, jsonb) to authenticated;
