create function app.anonymous_user(p_device_hash bytea, out user_id uuid, out is_new boolean)
returns record
language sql
volatile
security invoker
set search_path = ''
begin atomic
  insert into app.users as u (device_hash) values (p_device_hash)
  on conflict (device_hash) do update set device_hash = excluded.device_hash
  -- A row that this statement inserted has never been updated.
  returning u.id, u.xmax = 0;
end;
comment on function app.anonymous_user(bytea) is 'The user that a device restores, a new one where there is none: an account that was merged or ended has let go of its device. Two first launches at once meet on the unique hash and get one user, new to one of them.';

revoke all on function app.anonymous_user(bytea) from public;
