create function staff.restore_user(p_user_id uuid, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.lock_hubs_of(p_user_id);
  delete from app.suspensions as s where s.user_id = p_user_id;
  if not found then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  -- Where everybody else has left meanwhile, nobody could follow the last admin.
  perform app.succeed_admin(m.hub_id, null) from app.memberships as m where m.user_id = p_user_id;
  perform staff.note('restore_user', p_reason, jsonb_build_object('userId', p_user_id));
end
$$;
comment on function staff.restore_user(uuid, text) is 'Ends the suspension of an account: what it said and did is there again, and its owner may sign in; of a Hub that nobody else is in by now they are the admin. Raises USER_NOT_FOUND where it is not suspended, REASON_MISSING.';

revoke all on function staff.restore_user(uuid, text) from public;
grant execute on function staff.restore_user(uuid, text) to staff_moderator;
