create function staff.role_of(p_email text, p_policy jsonb)
returns staff.role
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case
    when p_policy -> 'allowedEmails' ? p_email then 'admin'
    else (select a.role from staff.allowed_emails as a where a.email = p_email)
  end;
end
$$;
comment on function staff.role_of(text, jsonb) is 'What a lower-case e-mail may do as staff: everything where allowedEmails of the configuration''s p_policy has it, else what staff.allowed_emails says; null where it is on neither.';

revoke all on function staff.role_of(text, jsonb) from public;
