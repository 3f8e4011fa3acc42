create function app.require_message(p_message_id uuid)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  -- Of an account that has ended a message stays, as far as it is text.
  if not exists (select from app.messages as m where m.id = p_message_id and num_nonnulls(m.body, m.asset_id) > 0) then
    raise exception using errcode = 'PT404', message = 'MESSAGE_NOT_FOUND';
  end if;
  return p_message_id;
end
$$;
comment on function app.require_message(uuid) is 'Lets a message pass, and answers it, that the caller may see and that says something. Raises MESSAGE_NOT_FOUND.';

revoke all on function app.require_message(uuid) from public;
grant execute on function app.require_message(uuid) to authenticated;
