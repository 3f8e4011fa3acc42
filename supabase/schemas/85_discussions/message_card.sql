create function app.message_card(p_message app.messages, p_hub_id uuid)
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
    'author', app.discussion_author(p_hub_id, p_message.author_id),
    'text', p_message.body,
    'assetId', p_message.asset_id,
    'replyCount', p_message.reply_count,
    'createdAt', app.iso(p_message.created_at)
  );
end
$$;
comment on function app.message_card(app.messages, uuid) is 'A message of a discussion in a Hub of the caller''s (contract.md 8).';

revoke all on function app.message_card(app.messages, uuid) from public;
grant execute on function app.message_card(app.messages, uuid) to authenticated;
