create function app.hidden_message_roots(p_discussion_id uuid)
returns setof app.messages
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select m.id, m.discussion_id, m.hub_id, null::uuid, null::uuid, null::text, null::uuid, m.reply_count, m.created_at
  from app.suspensions as s
  join app.messages as m on m.author_id = s.user_id
  where m.discussion_id = p_discussion_id and m.reply_count > 0 and m.hub_id in (select mine.hub_id from app.my_hubs as mine);
end
$$;
comment on function app.hidden_message_roots(uuid) is 'Messages of a discussion that suspended people began threads with, as if they were deleted: without author, text and asset. None for who is no member of its Hub.';

revoke all on function app.hidden_message_roots(uuid) from public;
grant execute on function app.hidden_message_roots(uuid) to authenticated;
