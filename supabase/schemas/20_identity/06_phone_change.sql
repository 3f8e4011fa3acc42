-- Stores a code for the new phone of the caller. Args and answer: as app.put_code.
--
-- Each request texts a number that the caller chooses, so an account has few of them; a test number gets no
-- text message.
create function api.request_phone_change(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(3);
  perform app.require_rate_limit(
    'phone changes', case when p_args ->> 'prefixHash' is not null then app.user_id()::text end, 5, interval '1 day'
  );
  return app.put_code(p_args);
end
$$;
comment on function api.request_phone_change is 'POST /users/me/phone/request (docs/product.md I22).';
grant execute on function api.request_phone_change to opine_service;

-- Makes a phone, whose code proves it, the phone of the caller, and ends their other sessions.
--
-- Args: those of app.prove_phone. Returns phoneNumber and, for the service alone, formerPhoneNumber; or a
-- refusal (app.refusal) after which the code is used up: PHONE_TAKEN, if an account has the phone, be it the
-- caller's own.
create function api.verify_phone_change(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_phone text := p_args ->> 'phoneNumber';
  v_former_phone text;
  v_refusal jsonb;
begin
  perform app.require_level(3);
  v_refusal := app.prove_phone(p_args);
  if v_refusal is not null then
    return v_refusal;
  end if;
  -- As app.sign_in_with_phone: a concurrent sign-in or change with this phone comes before or after.
  perform pg_advisory_xact_lock(hashtextextended(v_phone, 0));
  select u.phone into v_former_phone from app.users as u where u.id = app.user_id() for update;
  perform app.require_level(3);
  if exists (select from app.users as u where u.phone = v_phone) then
    return app.refusal('PHONE_TAKEN');
  end if;
  update app.users as u set phone = v_phone, phone_verified_at = app.now() where u.id = app.user_id();
  delete from app.sign_in_places as p where p.user_id = app.user_id();
  perform app.remember_places(app.user_id(), p_args);
  delete from app.sessions as s where s.user_id = app.user_id() and s.id <> app.session_id();
  return jsonb_build_object('phoneNumber', v_phone, 'formerPhoneNumber', v_former_phone);
end
$$;
comment on function api.verify_phone_change is 'POST /users/me/phone/verify (docs/product.md I22).';
grant execute on function api.verify_phone_change to opine_service;
