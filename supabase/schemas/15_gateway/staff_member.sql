create function gateway.staff_member(p_token_hash text, p_policy jsonb, out email text, out role text)
returns record
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  select s.email, 'staff_' || staff.role_of(s.email, p_policy)
  into staff_member.email, staff_member.role
  from staff.sessions as s
  where s.token_hash = decode(p_token_hash, 'hex') and s.expires_at > app.now();
end
$$;
comment on function gateway.staff_member(text, jsonb) is 'Whose staff session has this token (SHA-256, hex), and as which role of Postgres they act (staff.role_of by p_policy): null where it has ended, or its owner is off the allow-list.';

revoke all on function gateway.staff_member(text, jsonb) from public;
grant execute on function gateway.staff_member(text, jsonb) to opine_gateway;
