create function staff.is_listed(p_email text, p_policy jsonb)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return coalesce(p_policy -> 'allowedEmails' ? p_email, false)
    or exists (select from staff.allowed_emails as a where a.email = p_email);
end
$$;
comment on function staff.is_listed(text, jsonb) is 'Whether a lower-case e-mail is on the allow-list: allowedEmails of the configuration''s p_policy, or staff.allowed_emails.';

revoke all on function staff.is_listed(text, jsonb) from public;
