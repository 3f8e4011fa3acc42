create function staff.unmask_phone(p_user_id uuid, p_reason text)
returns text
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform staff.note('unmask_phone', p_reason, jsonb_build_object('userId', p_user_id));
  return (select u.phone from app.users as u where u.id = p_user_id);
end
$$;
comment on function staff.unmask_phone(uuid, text) is 'The phone of an account, null where it has none. Who asked, and why, is written down. Raises REASON_MISSING.';

revoke all on function staff.unmask_phone(uuid, text) from public;
grant execute on function staff.unmask_phone(uuid, text) to staff_support;
