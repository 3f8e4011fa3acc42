create function staff.admit(p_email text, p_role staff.role, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
begin
  insert into staff.allowed_emails (email, role) values (v_email, p_role)
  on conflict (email) do update set role = excluded.role;
  perform staff.note('admit', p_reason, jsonb_build_object('email', v_email, 'role', p_role));
end
$$;
comment on function staff.admit(text, staff.role, text) is 'Lets somebody of the workspace sign in as staff, or gives them another role. Raises REASON_MISSING.';

revoke all on function staff.admit(text, staff.role, text) from public;
grant execute on function staff.admit(text, staff.role, text) to staff_admin;
