create function app.hidden_message_roots(p_discussion_id uuid, p_from timestamptz, p_until timestamptz)
returns setof app.messages
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select m.id, m.discussion_id, m.hub_id, null::uuid, null::uuid, null::text, null::uuid, m.reply_count, m.created_at
  from app.messages as m
  where m.discussion_id = p_discussion_id and m.parent_id is null and m.created_at between p_from and p_until and m.reply_count > 0
    and m.author_id in (select s.user_id from app.suspensions as s)
    and m.hub_id in (select mine.hub_id from app.my_hubs as mine);
end
$$;
comment on function app.hidden_message_roots(uuid, timestamptz, timestamptz) is 'Messages of a time, of a discussion, that suspended people began threads with, as if they were deleted: without author, text and asset. None for who is no member of its Hub.';

revoke all on function app.hidden_message_roots(uuid, timestamptz, timestamptz) from public;
grant execute on function app.hidden_message_roots(uuid, timestamptz, timestamptz) to authenticated;
