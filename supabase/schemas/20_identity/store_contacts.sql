create function api.store_contacts(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_user_id uuid := app.user_id();
  v_upload_id uuid := (p_args ->> 'uploadId')::uuid;
  v_contacts jsonb;
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
    array(select jsonb_array_elements_text(contact.fields -> 'phoneNumbers')),
    decode(app.text_argument(contact.fields, 'thumbnail', p_max => 11000, p_within => 'contacts'), 'base64')
  from jsonb_array_elements(v_contacts) with ordinality as contact (fields, place);
  return jsonb_build_object(
    'uploadId', v_upload_id, 'state', 'stored', 'contactCount', jsonb_array_length(v_contacts)
  );
end
$$;
comment on function api.store_contacts(jsonb) is 'PUT /users/me/contact-sync/uploads/{uploadId} (spec.md B). Takes uploadId and contacts (name, phoneNumbers in E.164, thumbnail in base64); answers uploadId, state, contactCount. Raises UNAUTHORIZED, UPLOAD_NOT_FOUND for any upload that is not the caller''s, CONTACT_SNAPSHOT_CONFLICT for one stored already, VALIDATION_FAILED for more than 5,000 contacts or 20,000 numbers, PAYLOAD_TOO_LARGE beyond 8 MiB in all.';

revoke all on function api.store_contacts(jsonb) from public;
grant execute on function api.store_contacts(jsonb) to authenticated;
