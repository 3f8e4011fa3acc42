create function api.end_staff_session(jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_email text;
begin
  delete from staff.sessions as s
  where s.token_hash = decode(p_args ->> 'staffTokenHash', 'hex')
  returning s.email into v_email;
  perform staff.audit(v_email, 'sign_out');
  return '{}'::jsonb;
end
$$;
comment on function api.end_staff_session(jsonb) is 'POST /admin/auth/logout. Takes staffTokenHash, of the session that the gateway has found live, and ends it; answers {}. Raises UNAUTHORIZED in the gateway.';

revoke all on function api.end_staff_session(jsonb) from public;
grant execute on function api.end_staff_session(jsonb) to opine_staff;
