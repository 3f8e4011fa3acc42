create function staff.restore_user(p_user_id uuid, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  delete from app.suspensions as s where s.user_id = p_user_id;
  if not found then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.note('restore_user', p_reason, jsonb_build_object('userId', p_user_id));
end
$$;
comment on function staff.restore_user(uuid, text) is 'Ends the suspension of an account: what it said and did is there again, and its owner may sign in. Raises USER_NOT_FOUND where it is not suspended, REASON_MISSING.';

revoke all on function staff.restore_user(uuid, text) from public;
grant execute on function staff.restore_user(uuid, text) to staff_moderator;
