create function app.hold_acts(p_user_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- Not a lock alone: a vote that feeds show at once sees the Hubs of its beginning throughout, and has to fail and begin again.
  update app.users as u set ended_at = u.ended_at where u.id = p_user_id;
end
$$;
comment on function app.hold_acts(uuid) is 'Lets what somebody does and takes back (app.hold_memberships) come before or after this transaction, in which they join or leave a Hub, not between.';

revoke all on function app.hold_acts(uuid) from public;
