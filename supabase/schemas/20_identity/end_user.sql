create function app.end_user(p_user_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  delete from app.sessions where user_id = p_user_id;
  delete from app.profiles where user_id = p_user_id;
  update app.users
  set ended_at = app.now(), phone = null, phone_verified_at = null, device_hash = null
  where id = p_user_id;
end
$$;
comment on function app.end_user(uuid) is 'Ends an account: its sessions, phone, device and public profile (so its handle) go at once.';

revoke all on function app.end_user(uuid) from public;
