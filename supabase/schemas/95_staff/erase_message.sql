create function staff.erase_message(p_message_id uuid)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update app.messages as m
  set author_id = null, body = null, asset_id = null
  where m.id = p_message_id and num_nonnulls(m.body, m.asset_id) > 0;
  return found;
end
$$;
comment on function staff.erase_message(uuid) is 'Empties a message, which stays in its thread, and answers whether there was anything in it.';

revoke all on function staff.erase_message(uuid) from public;
