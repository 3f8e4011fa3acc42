create function app.drop_device_token(p_token_hash bytea)
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  delete from app.device_tokens as t where t.token_hash = p_token_hash and t.user_id = app.user_id();
  return found;
end
$$;
comment on function app.drop_device_token(bytea) is 'Removes a device token of the caller; false where it is not theirs.';

revoke all on function app.drop_device_token(bytea) from public;
grant execute on function app.drop_device_token(bytea) to authenticated;
