create function app.thread_of(p_discussion_id uuid, p_message_id uuid, p_is_root boolean)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_message app.messages;
begin
  select * into v_message from app.messages as m where m.id = p_message_id and m.discussion_id = p_discussion_id;
  if v_message.id is null or (p_is_root and v_message.parent_id is not null) then
    raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
  end if;
  return coalesce(v_message.parent_id, v_message.id);
end
$$;
comment on function app.thread_of(uuid, uuid, boolean) is 'The message at the root of the thread that a message of a discussion is in; p_is_root takes roots alone. Raises MESSAGE_NOT_FOUND.';

revoke all on function app.thread_of(uuid, uuid, boolean) from public;
grant execute on function app.thread_of(uuid, uuid, boolean) to authenticated;
