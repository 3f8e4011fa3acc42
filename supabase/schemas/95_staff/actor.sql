create function staff.actor()
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  -- Whoever logs in for themselves could write any claims.
  return case
    when session_user = 'opine_gateway' then nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
    else session_user::text
  end;
end
$$;
comment on function staff.actor() is 'Who of staff is at work, for the audit log: the e-mail of the staff session behind a request, else the login.';

revoke all on function staff.actor() from public;
grant execute on function staff.actor() to staff_support;
