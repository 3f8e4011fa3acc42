-- Runs app.put_code.
create function api.request_otp(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return app.put_code($1);
end
$$;
comment on function api.request_otp is 'POST /auth/otp/request (docs/product.md I8, I9).';
grant execute on function api.request_otp to opine_service;

-- Stores a new one-time code for a phone. The answer says nothing about accounts.
--
-- A device from which the phone has signed in has a daily limit of its own, and none of the block of numbers:
-- nobody else uses up either. Args: phoneNumber, phoneHash, codeHash (keyed, hex), codesPerDay and prefixHash
-- (null for a test number), codesPerPrefix (unverified ones an hour), resendAfterSeconds (null: that of
-- app.otp_policy), deviceHash (null if unknown), addressHash (null if addresses do not count),
-- requestsPerAddress (an hour). Returns phoneNumber, resendAfterSeconds, expiresAt. Errors: RATE_LIMITED.
create function app.put_code(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_policy record := app.otp_policy();
  v_now timestamptz := app.now();
  v_phone_hash bytea := decode(p_args ->> 'phoneHash', 'hex');
  v_codes_per_day integer := (p_args ->> 'codesPerDay')::integer;
  v_code app.otp_codes;
begin
  perform app.require_rate_limit(
    'code requests', p_args ->> 'addressHash', (p_args ->> 'requestsPerAddress')::integer, interval '1 hour'
  );
  if app.is_known_device(p_args) then
    perform app.require_rate_limit('codes of a device', p_args ->> 'deviceHash', v_codes_per_day, interval '1 day');
    v_codes_per_day := null;
    p_args := p_args || '{"codesPerDay": null, "prefixHash": null}';
  end if;
  perform app.require_rate_limit(
    'codes of a prefix', p_args ->> 'prefixHash', (p_args ->> 'codesPerPrefix')::integer, interval '1 hour'
  );
  insert into app.otp_codes (phone_hash, requested_at, expires_at)
  values (v_phone_hash, '-infinity', '-infinity')
  on conflict (phone_hash) do nothing;
  select * into strict v_code from app.otp_codes as c where c.phone_hash = v_phone_hash for update;

  if app.next_code_at(v_code, p_args) > v_now then
    raise exception using errcode = 'PT429', message = 'RATE_LIMITED',
      detail = app.retry_after(app.next_code_at(v_code, p_args))::text;
  end if;

  update app.otp_codes as c
  set code_hash = decode(p_args ->> 'codeHash', 'hex'),
    wrong_try_count = 0,
    requested_at = v_now,
    expires_at = v_now + v_policy.expires_after,
    sent_at = case
      when v_codes_per_day is null then v_code.sent_at
      else (v_now || v_code.sent_at)[1:v_codes_per_day]
    end,
    counts_in_prefix = p_args ->> 'prefixHash' is not null
  where c.phone_hash = v_phone_hash;

  return jsonb_build_object(
    'phoneNumber', p_args ->> 'phoneNumber',
    'resendAfterSeconds', extract(epoch from app.resend_after(p_args))::integer,
    'expiresAt', app.iso(v_now + v_policy.expires_after)
  );
end
$$;
comment on function app.put_code is 'Stores a new one-time code for a phone (docs/product.md I8, I9, A4-A6).';

-- Args: phoneHash, deviceHash (keyed, hex; null if unknown).
create function app.is_known_device(p_args jsonb) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.sign_in_places as p
    where p.phone_hash = decode(p_args ->> 'phoneHash', 'hex') and p.place_hash = decode(p_args ->> 'deviceHash', 'hex')
  );
end
$$;
comment on function app.is_known_device is 'Returns whether a phone has signed in by code from a device.';

-- Signs a user in by a one-time code.
--
-- Args: those of app.prove_phone and app.grant_to_phone. Returns what app.grant_to_phone returns, or a
-- refusal (app.refusal): OTP_INVALID, OTP_EXPIRED, RATE_LIMITED.
create function api.verify_otp(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_refusal jsonb := app.prove_phone(p_args);
  v_grant jsonb;
begin
  if v_refusal is not null then
    return v_refusal;
  end if;
  v_grant := app.grant_to_phone(p_args ->> 'phoneNumber', p_args);
  perform app.remember_places((v_grant #>> '{user,id}')::uuid, p_args);
  return v_grant;
end
$$;
comment on function api.verify_otp is 'POST /auth/otp/verify (docs/product.md I9-I11, I14, I15).';
grant execute on function api.verify_otp to opine_service;

-- Uses up the code of a phone, within the limit of tries of the address.
--
-- A verified code counts no more in the limit of its block of numbers, if it ever did. Args: those of
-- app.consume_otp, triesPerAddress (an hour), prefixHash and codesPerPrefix (see app.put_code). Returns
-- null for the right code, else the refusal of app.consume_otp or RATE_LIMITED.
create function app.prove_phone(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_refusal jsonb;
  v_opens_at timestamptz := app.consume_rate_limit(
    'code tries', p_args ->> 'addressHash', (p_args ->> 'triesPerAddress')::integer, interval '1 hour'
  );
begin
  if v_opens_at is not null then
    return app.refusal('RATE_LIMITED', app.retry_after(v_opens_at));
  end if;
  v_refusal := app.consume_otp(p_args);
  if v_refusal is null then
    perform app.return_use(
      'codes of a prefix', p_args ->> 'prefixHash', (p_args ->> 'codesPerPrefix')::integer, interval '1 hour'
    )
    from app.otp_codes as c
    where c.phone_hash = decode(p_args ->> 'phoneHash', 'hex') and c.counts_in_prefix;
  end if;
  return v_refusal;
end
$$;
comment on function app.prove_phone is
  'Uses up the code of a phone, within the limit of tries of the address (docs/product.md I10, A4).';

-- Uses up the code of a phone.
--
-- The row lock serialises tries. The comparison is of keyed hashes, whose bytes reveal nothing about the code
-- to a timing attack. Args: phoneNumber, phoneHash, codeHash, codesPerDay and resendAfterSeconds (see
-- app.next_code_at, for the time to retry), wrongTriesPerDay (the limit of the circuit breaker; null for a
-- test number), deviceHash (null if unknown), addressHash (null if addresses do not count). Returns null for
-- the right code, else the refusal OTP_INVALID, OTP_EXPIRED or RATE_LIMITED.
create function app.consume_otp(p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_policy record := app.otp_policy();
  v_phone_hash bytea := decode(p_args ->> 'phoneHash', 'hex');
  -- The circuit breaker (docs/product.md I11).
  v_wrong_tries_per_day integer := case
    when not app.is_known_device(p_args) then (p_args ->> 'wrongTriesPerDay')::integer
  end;
  v_passes_at timestamptz := app.rate_limit_opens_at('wrong codes', '', v_wrong_tries_per_day, interval '1 day');
  v_code app.otp_codes;
begin
  if v_passes_at is not null then
    return app.refusal('RATE_LIMITED', app.retry_after(v_passes_at));
  end if;
  select * into v_code from app.otp_codes as c where c.phone_hash = v_phone_hash for update;
  if v_code.code_hash is null then
    return app.refusal('OTP_INVALID');
  end if;
  if v_code.wrong_try_count >= v_policy.try_limit then
    return app.refusal('RATE_LIMITED', app.retry_after(app.next_code_at(v_code, p_args)));
  end if;
  if v_code.expires_at <= app.now() then
    return app.refusal('OTP_EXPIRED');
  end if;
  if v_code.code_hash = decode(p_args ->> 'codeHash', 'hex') then
    update app.otp_codes as c set code_hash = null where c.phone_hash = v_phone_hash;
    return null;
  end if;
  update app.otp_codes as c set wrong_try_count = c.wrong_try_count + 1 where c.phone_hash = v_phone_hash;
  if not app.is_known_address(decode(p_args ->> 'addressHash', 'hex')) then
    v_passes_at := app.consume_rate_limit('wrong codes', '', v_wrong_tries_per_day, interval '1 day');
  end if;
  if v_passes_at is not null then
    -- Concurrent tries have exhausted the limit since the first check. Do not reveal that this code was wrong.
    return app.refusal('RATE_LIMITED', app.retry_after(v_passes_at));
  end if;
  if v_code.wrong_try_count + 1 >= v_policy.try_limit then
    return app.refusal('RATE_LIMITED', app.retry_after(app.next_code_at(v_code, p_args)));
  end if;
  return app.refusal('OTP_INVALID');
end
$$;
comment on function app.consume_otp is 'Uses up the code of a phone (docs/product.md I10, I11).';

-- False for null.
create function app.is_known_address(p_address_hash bytea) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select
    from app.sign_in_places as p
    where p.place_hash = p_address_hash and not p.is_device and p.signed_in_at > app.now() - interval '30 days'
  );
end
$$;
comment on function app.is_known_address is
  'Returns whether somebody has signed in by code from an address within 30 days.';

-- Keeps the last 40 places.
--
-- Args: p_user_id; p_args with phoneHash, deviceHash and addressHash (null for an unknown one).
create function app.remember_places(p_user_id uuid, p_args jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.sign_in_places as p (phone_hash, place_hash, user_id, is_device)
  select decode(p_args ->> 'phoneHash', 'hex'), decode(place.hash, 'hex'), p_user_id, place.is_device
  from (values (p_args ->> 'deviceHash', true), (p_args ->> 'addressHash', false)) as place (hash, is_device)
  where place.hash is not null
  on conflict (phone_hash, place_hash) do update set signed_in_at = excluded.signed_in_at, user_id = excluded.user_id;
  delete from app.sign_in_places as p
  where p.user_id = p_user_id and p.place_hash in (
    select old.place_hash
    from app.sign_in_places as old
    where old.user_id = p_user_id
    order by old.signed_in_at desc, old.place_hash
    offset 40
  );
end
$$;
comment on function app.remember_places is 'Records that a user has signed in by code from a device and an address.';

create function app.prune_sign_in_places() returns void
language sql security definer set search_path = ''
begin atomic
  delete from app.sign_in_places as p
  where p.signed_in_at <= app.now() - interval '30 days'
    and (not p.is_device or p.signed_in_at <= app.now() - interval '1 year');
end;
comment on function app.prune_sign_in_places is
  'Upkeep: deletes addresses after 30 days and devices after a year without a sign-in.';
grant execute on function app.prune_sign_in_places to opine_worker;

-- Four digits allow no more tries: 3 a code and 5 codes a day give a guesser 15 chances in 10,000 a day.
-- Limits by day and by address are configuration of the service and come with each request.
create function app.otp_policy(
  out code_length integer, out resend_after interval, out expires_after interval, out try_limit integer
) returns record
language sql immutable set search_path = ''
begin atomic
  select 4, interval '60 seconds', interval '5 minutes', 3;
end;
comment on function app.otp_policy is 'Returns the settings of every one-time code (docs/product.md I9, I10).';
grant execute on function app.otp_policy to anon;

-- Reads the configuration of the login screen.
--
-- Args: appLogoUrl, methods, legal, captcha (from the configuration of the service). Returns the args and
-- otp, the settings of one-time codes.
create function api.get_login_config(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select $1 || jsonb_build_object(
    'otp', jsonb_build_object(
      'length', o.code_length,
      'resendAfterSeconds', extract(epoch from o.resend_after)::integer,
      'expiresInSeconds', extract(epoch from o.expires_after)::integer
    )
  )
  from app.otp_policy() as o;
end;
comment on function api.get_login_config is 'GET /auth/login-config (docs/product.md I1).';
grant execute on function api.get_login_config to anon;

-- Returns when a phone may have its next code: after the wait since the last one, and a day after the oldest
-- of the codes that the daily limit counts. Args: p_args with codesPerDay (null: no daily limit) and
-- resendAfterSeconds.
create function app.next_code_at(p_code app.otp_codes, p_args jsonb) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return greatest(
    p_code.requested_at + app.resend_after(p_args),
    p_code.sent_at[(p_args ->> 'codesPerDay')::integer] + interval '1 day'
  );
end
$$;
comment on function app.next_code_at is 'Returns when a phone may have its next code (docs/product.md I9).';

create function app.resend_after(p_args jsonb) returns interval
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce((p_args ->> 'resendAfterSeconds')::integer * interval '1 second', (app.otp_policy()).resend_after);
end
$$;
comment on function app.resend_after is
  'Returns the wait between two codes of a phone: resendAfterSeconds of p_args, or that of app.otp_policy.';

-- Signs a user in by an ID token. Args, as the service has verified them: phoneNumber (E.164) or, for an
-- anonymous identity, subjectHash (keyed, hex); refreshTokenHash, deviceKind. A phone signs in as by code;
-- only a verified phone merges the user of the claims.
--
-- Returns app.session_grant with isNewUser and merged.
create function api.exchange_id_token(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_anonymous record;
begin
  if p_args ->> 'phoneNumber' is not null then
    return app.grant_to_phone(p_args ->> 'phoneNumber', p_args);
  end if;
  v_anonymous := app.anonymous_user(decode(p_args ->> 'subjectHash', 'hex'));
  return app.insert_session(v_anonymous.user_id, p_args)
    || jsonb_build_object('isNewUser', v_anonymous.is_new, 'merged', false);
end
$$;
comment on function api.exchange_id_token is 'POST /auth/idp/token (docs/product.md I12, I15).';
grant execute on function api.exchange_id_token to opine_service;

-- Starts a session of the app install's user, a new one if there is none.
--
-- Args: deviceHash (keyed, hex), addressHash (null if addresses do not count), devicesPerAddress (new ones an
-- hour), refreshTokenHash, deviceKind. Returns app.session_grant.
create function api.start_anonymous_session(jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  p_args alias for $1;
  v_anonymous record := app.anonymous_user(decode(p_args ->> 'deviceHash', 'hex'));
begin
  if v_anonymous.is_new then
    perform app.require_rate_limit(
      'new devices', p_args ->> 'addressHash', (p_args ->> 'devicesPerAddress')::integer, interval '1 hour'
    );
  end if;
  return app.insert_session(v_anonymous.user_id, p_args);
end
$$;
comment on function api.start_anonymous_session is 'POST /auth/anonymous/session (docs/product.md I13).';
grant execute on function api.start_anonymous_session to opine_service;

-- Concurrent first launches conflict on the unique hash and get one user, which is new to one of them.
create function app.anonymous_user(p_device_hash bytea, out user_id uuid, out is_new boolean) returns record
language sql set search_path = ''
begin atomic
  insert into app.users as u (device_hash) values (p_device_hash)
  on conflict (device_hash) do update set device_hash = excluded.device_hash
  -- xmax is 0 only in a row that this statement has inserted.
  returning u.id, u.xmax = 0;
end;
comment on function app.anonymous_user is
  'Returns the user of a device, a new one if there is none; a merged or ended account has no device.';

-- It merges an anonymous user of the claims, whose device tokens join the new session.
--
-- Args: p_args (refreshTokenHash, deviceKind). Returns app.session_grant with isNewUser and merged.
create function app.grant_to_phone(p_phone text, p_args jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v_sign_in record := app.sign_in_with_phone(p_phone, app.user_id());
  v_grant jsonb := app.insert_session(v_sign_in.user_id, p_args);
begin
  update app.device_tokens
  set session_id = (v_grant ->> 'sessionId')::uuid
  where user_id = v_sign_in.user_id and session_id is null;
  return v_grant || jsonb_build_object('isNewUser', v_sign_in.is_new, 'merged', v_sign_in.is_merged);
end
$$;
comment on function app.grant_to_phone is 'Starts a session for a phone whose ownership was just proven.';

-- A phoneless p_bearer becomes the user of a new phone and keeps only the session that verifies; it is merged
-- into the user of a known phone. The advisory lock makes two concurrent sign-ins of a new phone share one
-- user.
--
-- Args: p_bearer (the session's user, or null).
create function app.sign_in_with_phone(
  p_phone text, p_bearer uuid, out user_id uuid, out is_new boolean, out is_merged boolean
)
returns record
language plpgsql set search_path = '' as $$
declare
  v_anonymous_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_phone, 0));
  perform from app.users as u where u.id = p_bearer and u.phone is null or u.phone = p_phone order by u.id for update;
  select u.id into v_anonymous_id from app.users as u where u.id = p_bearer and u.phone is null and u.ended_at is null;
  select u.id into user_id from app.users as u where u.phone = p_phone;

  is_new := user_id is null;
  is_merged := false;
  if user_id is not null and v_anonymous_id is not null then
    perform app.end_user(v_anonymous_id, p_merged_into => user_id);
    is_merged := true;
  elsif user_id is null and v_anonymous_id is not null then
    update app.users as u
    set phone = p_phone, phone_verified_at = app.now(), device_hash = null
    where u.id = v_anonymous_id;
    -- Sessions opened by a device id end, because it is too weak for a phone's account. The verifying one stays.
    delete from app.sessions as s where s.user_id = v_anonymous_id and s.id is distinct from app.session_id();
    user_id := v_anonymous_id;
    is_merged := true;
  elsif user_id is null then
    insert into app.users (phone, phone_verified_at) values (p_phone, app.now()) returning id into user_id;
  end if;
end
$$;
comment on function app.sign_in_with_phone is
  'Returns the user of a phone whose ownership was just proven (docs/product.md I14, I15).';

-- The service turns it into the error p_code.
create function app.refusal(p_code text, p_details jsonb default '{}') returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('refusal', jsonb_build_object('code', p_code, 'details', p_details));
end;
comment on function app.refusal is
  'Returns the answer of an identity operation that refuses but keeps its writes (a counted try, an ended session), '
  'which an exception would roll back.';
