create function api.start_staff_session(jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_identity jsonb := nullif(p_args -> 'identity', 'null');
  v_email text := v_identity ->> 'email';
  v_refusal text := staff.sign_in_refusal(v_identity, p_args -> 'policy');
  v_lifetime interval := interval '8 hours';
begin
  perform app.require_meter('staff sign-ins', p_args ->> 'addressHash', 60, interval '1 hour');
  if v_refusal is not null then
    perform staff.audit(v_email, 'sign_in_refused', jsonb_build_object('reason', v_refusal));
    return app.refusal('FORBIDDEN');
  end if;
  insert into staff.sessions (token_hash, email, expires_at)
  values (decode(p_args ->> 'tokenHash', 'hex'), v_email, app.now() + v_lifetime);
  perform staff.audit(v_email, 'sign_in');
  return jsonb_build_object(
    'email', v_email,
    'expiresAt', app.iso(app.now() + v_lifetime),
    'expiresIn', extract(epoch from v_lifetime)::integer
  );
end
$$;
comment on function api.start_staff_session(jsonb) is 'POST /admin/auth/idp (spec.md A). Takes identity (email in lower case, isEmailVerified, hostedDomain; null where the ID token was not a good one), policy (allowedDomain, allowedEmails), tokenHash (SHA-256, hex) and addressHash (null where addresses do not count); answers email, expiresAt and expiresIn (seconds). Refuses with FORBIDDEN, whatever the reason: the audit log has it. Raises RATE_LIMITED beyond 60 an hour for an address.';

revoke all on function api.start_staff_session(jsonb) from public;
grant execute on function api.start_staff_session(jsonb) to opine_service;
