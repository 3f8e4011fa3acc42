create function app.thread_of(p_discussion_id uuid, p_message_id uuid, p_is_root boolean)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_root_id uuid;
begin
  select coalesce(m.parent_id, m.id) into v_root_id
  from app.messages as m
  where m.id = p_message_id and m.discussion_id = p_discussion_id and not (p_is_root and m.parent_id is not null)
    -- Callers whom no policy keeps from it would answer what nobody sees.
    and not exists (
      select from app.messages as said join app.suspensions as s on s.user_id = said.author_id
      where said.id in (m.id, m.parent_id)
    );
  if v_root_id is null then
    raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
  end if;
  return v_root_id;
end
$$;
comment on function app.thread_of(uuid, uuid, boolean) is 'The message at the root of the thread that a message of a discussion is in; p_is_root takes roots alone. Raises MESSAGE_NOT_FOUND.';

revoke all on function app.thread_of(uuid, uuid, boolean) from public;
grant execute on function app.thread_of(uuid, uuid, boolean) to authenticated;
