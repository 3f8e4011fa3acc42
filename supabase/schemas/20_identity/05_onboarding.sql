-- Saves name, username and consent to the terms.
--
-- Args: fullName, username, termsAccepted, termsVersion (the version that the caller read),
-- currentTermsVersion (from the service). Returns nextStep and status.
create function api.save_profile_basics(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
  v_status jsonb;
begin
  perform app.require_level(1);
  if p_args -> 'termsAccepted' is distinct from 'true' then
    perform app.refuse_argument('{termsAccepted}', 'required', 'The terms must be accepted.');
  end if;
  if app.text_argument(p_args, 'termsVersion') <> p_args ->> 'currentTermsVersion' then
    perform app.refuse_argument(
      '{termsVersion}', 'not_current', format('The terms are at version %s.', p_args ->> 'currentTermsVersion')
    );
  end if;
  insert into app.profiles as p (user_id, username, full_name)
  values (v_user_id, app.text_argument(p_args, 'username'), app.name_argument(p_args, 'fullName'))
  on conflict (user_id) do update set username = excluded.username, full_name = excluded.full_name;
  update app.users as u
  set terms_version = coalesce(p_args ->> 'currentTermsVersion', p_args ->> 'termsVersion'),
    terms_accepted_at = app.now()
  where u.id = v_user_id;
  v_status := app.onboarding_status();
  return jsonb_build_object('nextStep', v_status -> 'nextStep', 'status', v_status);
end
$$;
comment on function api.save_profile_basics is 'PUT /users/me/onboarding/profile-basics (docs/product.md O3).';
grant execute on function api.save_profile_basics to authenticated;

-- Stores the announced contact snapshot, without numbers that are not in E.164 form: the service passes null
-- for each that it cannot normalize.
--
-- Args: uploadId, contacts (name, phoneNumbers, thumbnail in base64). Returns uploadId, state, contactCount,
-- skippedCount (numbers left out; a repeated one is none).
create function api.store_contacts(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
  v_upload_id uuid := (p_args ->> 'uploadId')::uuid;
  v_contacts jsonb;
  v_skipped_count integer;
begin
  perform app.require_level(1);
  if pg_column_size(p_args) > 8 * 1024 * 1024 then
    raise exception using errcode = 'PT413', message = 'PAYLOAD_TOO_LARGE';
  end if;
  perform app.require_arguments(p_args, 'contacts');
  v_contacts := app.items_argument(p_args, 'contacts', 0, 5000);
  if (
    select sum(jsonb_array_length(app.items_argument(contact.fields, 'phoneNumbers', 0, 50, 'contacts')))
    from jsonb_array_elements(v_contacts) as contact (fields)
  ) > 20000 then
    perform app.refuse_argument('{contacts}', 'too_big', 'Must have at most 20000 phone numbers in all.');
  end if;
  if exists (
    select from jsonb_array_elements(v_contacts) as contact (fields)
    where octet_length(decode(contact.fields ->> 'thumbnail', 'base64')) > 8192
  ) then
    perform app.refuse_argument('{contacts}', 'too_big', 'A thumbnail must have at most 8 KiB after decoding.');
  end if;
  v_skipped_count := app.count_unusable_phones(v_contacts);
  update app.contact_snapshots as s
  set stored_at = app.now()
  where s.user_id = v_user_id and s.upload_id = v_upload_id and s.stored_at is null;
  if not found then
    if exists (select from app.contact_snapshots as s where s.user_id = v_user_id and s.upload_id = v_upload_id) then
      raise exception using errcode = 'PT409', message = 'CONTACT_SNAPSHOT_CONFLICT';
    end if;
    raise exception using errcode = 'PT404', message = 'UPLOAD_NOT_FOUND';
  end if;
  insert into app.contacts (user_id, place, name, phone_numbers, thumbnail)
  select
    v_user_id,
    contact.place,
    app.text_argument(contact.fields, 'name', p_within => 'contacts'),
    app.usable_phones(contact.fields -> 'phoneNumbers'),
    decode(app.text_argument(contact.fields, 'thumbnail', p_max => 11000, p_within => 'contacts'), 'base64')
  from jsonb_array_elements(v_contacts) with ordinality as contact (fields, place);
  return jsonb_build_object(
    'uploadId', v_upload_id, 'state', 'stored',
    'contactCount', jsonb_array_length(v_contacts), 'skippedCount', v_skipped_count
  );
end
$$;
comment on function api.store_contacts is 'PUT /users/me/contact-sync/uploads/{uploadId} (docs/product.md O6, O7).';
grant execute on function api.store_contacts to authenticated;

create function app.usable_phones(p_phones jsonb) returns text[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(
    select given.phone
    from jsonb_array_elements_text(p_phones) with ordinality as given (phone, place)
    where app.is_e164(given.phone)
    group by given.phone
    order by min(given.place)
  );
end
$$;
comment on function app.usable_phones is
  'Returns the distinct phone numbers in E.164 form of a JSON array, in their order (docs/product.md O7).';
grant execute on function app.usable_phones to authenticated;

create function app.count_unusable_phones(p_contacts jsonb) returns integer
language plpgsql stable set search_path = '' as $$
declare
  v_usable_count integer;
  v_unusable_count integer;
begin
  select
    (count(*) filter (where app.is_e164(given.phone)))::integer,
    (count(*) filter (where not app.is_e164(given.phone)))::integer
  into v_usable_count, v_unusable_count
  from jsonb_array_elements(p_contacts) as contact (fields)
  cross join jsonb_array_elements_text(contact.fields -> 'phoneNumbers') as given (phone);
  if v_unusable_count > 0 and v_usable_count = 0 then
    perform app.refuse_argument(
      '{contacts}', 'invalid_phone', 'No phone number is among these. One begins with + and the country.'
    );
  end if;
  return v_unusable_count;
end
$$;
comment on function app.count_unusable_phones is
  'Counts the numbers of contacts that are not in E.164 form; refuses contacts without others (docs/product.md O7).';
grant execute on function app.count_unusable_phones to authenticated;

-- Completes the contacts step and announces one contact snapshot; a repeat changes nothing.
--
-- Args: permission, contactCount (contacts on the device). Returns status and snapshot.
create function api.sync_contacts(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
begin
  perform app.require_level(3);
  insert into app.contact_snapshots (user_id, permission, contact_count)
  values (
    v_user_id, app.text_argument(p_args, 'permission'), app.integer_argument(p_args, 'contactCount', 0, 1000000)
  )
  on conflict (user_id) do nothing;
  update app.users as u
  set contacts_synced_at = app.now()
  where u.id = v_user_id and u.contacts_synced_at is null;
  return jsonb_build_object('status', app.onboarding_status(), 'snapshot', app.contact_snapshot_json());
end
$$;
comment on function api.sync_contacts is 'PUT /users/me/onboarding/contacts (docs/product.md O5).';
grant execute on function api.sync_contacts to authenticated;

create function app.contact_snapshot_json() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'uploadId', s.upload_id, 'state', case when s.stored_at is null then 'pending' else 'stored' end
    )
    from app.contact_snapshots as s
    where s.user_id = app.user_id()
  );
end
$$;
comment on function app.contact_snapshot_json is
  'Returns the contact snapshot of the caller and its state, null before the contacts step (docs/product.md O2).';
grant execute on function app.contact_snapshot_json to authenticated;

-- Returns an OnboardingStatus with snapshot.
create function api.get_onboarding_status(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform app.require_level(1);
  return app.onboarding_status() || jsonb_build_object('snapshot', app.contact_snapshot_json());
end
$$;
comment on function api.get_onboarding_status is 'GET /users/me/onboarding/status (docs/product.md O1, O2).';
grant execute on function api.get_onboarding_status to authenticated;
