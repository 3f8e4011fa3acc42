create function gateway.staff_email(p_token_hash text, p_policy jsonb)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select s.email
    from staff.sessions as s
    where s.token_hash = decode(p_token_hash, 'hex')
      and s.expires_at > app.now()
      and staff.is_listed(s.email, p_policy)
  );
end
$$;
comment on function gateway.staff_email(text, jsonb) is 'Whose live staff session has this token (SHA-256, hex), null where none has: it has ended, or its owner is off the allow-list (staff.is_listed by p_policy).';

revoke all on function gateway.staff_email(text, jsonb) from public;
grant execute on function gateway.staff_email(text, jsonb) to opine_gateway;
