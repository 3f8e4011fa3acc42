create function app.anonymous_user(p_device_hash bytea)
returns uuid
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_user_id uuid;
begin
  insert into app.users as u (device_hash) values (p_device_hash)
  on conflict (device_hash) do update set device_hash = excluded.device_hash
  returning u.id into v_user_id;
  return v_user_id;
end
$$;
comment on function app.anonymous_user(bytea) is 'The user that a device restores, a new one where there is none: an account that was merged or ended has let go of its device. Two first launches at once meet on the unique hash and get one user.';

revoke all on function app.anonymous_user(bytea) from public;
