create function staff.dismiss(p_email text, p_reason text)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_was_listed boolean;
begin
  delete from staff.allowed_emails as a where a.email = v_email;
  v_was_listed := found;
  delete from staff.sessions as s where s.email = v_email;
  if not v_was_listed and not found then
    raise exception using errcode = 'PT404', message = 'USER_NOT_FOUND';
  end if;
  perform staff.note('dismiss', p_reason, jsonb_build_object('email', v_email));
end
$$;
comment on function staff.dismiss(text, text) is 'Takes somebody off the allow-list and ends their staff sessions. Whom the configuration names may sign in again. Raises USER_NOT_FOUND for who was not on it and has no session, REASON_MISSING.';

revoke all on function staff.dismiss(text, text) from public;
grant execute on function staff.dismiss(text, text) to staff_admin;
