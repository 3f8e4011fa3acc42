create function staff.unmask_phone(p_user_id uuid, p_reason text)
returns text
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  if not exists (select from app.users as u where u.id = p_user_id) then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.note('unmask_phone', p_reason, jsonb_build_object('userId', p_user_id));
  -- Whoever logs in for themselves could roll back what was written down, and keep what they were told.
  if session_user <> 'opine_gateway' and not staff.has_asked_before('unmask_phone', p_user_id) then
    return 'Written down. Ask once more to be told.';
  end if;
  return (select u.phone from app.users as u where u.id = p_user_id);
end
$$;
comment on function staff.unmask_phone(uuid, text) is 'The phone of an account, null where it has none. Who asked, and why, is written down; in SQL the phone is told to whoever asks once more within ten minutes, when that is committed. Raises USER_NOT_FOUND, REASON_MISSING.';

revoke all on function staff.unmask_phone(uuid, text) from public;
grant execute on function staff.unmask_phone(uuid, text) to staff_support;
