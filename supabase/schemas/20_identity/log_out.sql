create function app.log_out(p_refresh_token_hash bytea, p_session_id uuid, p_everywhere boolean, p_device_token_hash bytea)
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid := app.user_id();
  v_other_id uuid;
begin
  select s.id into v_other_id
  from app.refresh_tokens as t
  join app.sessions as s on s.id = t.session_id
  where t.token_hash = p_refresh_token_hash and s.user_id = v_user_id;
  if v_other_id is null then
    return false;
  end if;
  delete from app.sessions as s
  where s.user_id = v_user_id and (p_everywhere or s.id in (p_session_id, v_other_id));
  delete from app.device_tokens as t
  where t.user_id = v_user_id and (p_everywhere or t.token_hash = p_device_token_hash);
  return true;
end
$$;
comment on function app.log_out(bytea, uuid, boolean, bytea) is 'Ends the caller''s session p_session_id and the session of the refresh token, or all of the caller''s; device tokens go with their sessions, the one of p_device_token_hash in any case, and everywhere means all. False, and nothing ends, where the token is not the caller''s.';

revoke all on function app.log_out(bytea, uuid, boolean, bytea) from public;
grant execute on function app.log_out(bytea, uuid, boolean, bytea) to authenticated;
