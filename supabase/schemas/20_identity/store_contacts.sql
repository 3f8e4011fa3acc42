create function api.store_contacts(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_user_id uuid := app.user_id();
  v_upload_id uuid := p_args ->> 'uploadId';
begin
  perform app.require_level(1);
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
    contact.fields ->> 'name',
    array(select jsonb_array_elements_text(contact.fields -> 'phoneNumbers')),
    decode(contact.fields ->> 'thumbnail', 'base64')
  from jsonb_array_elements(p_args -> 'contacts') with ordinality as contact (fields, place);
  return jsonb_build_object(
    'uploadId', v_upload_id, 'state', 'stored', 'contactCount', jsonb_array_length(p_args -> 'contacts')
  );
end
$$;
comment on function api.store_contacts(jsonb) is 'PUT /users/me/contact-sync/uploads/{uploadId} (spec.md B). Takes uploadId and contacts (name, phoneNumbers in E.164, thumbnail in base64); answers uploadId, state, contactCount. Raises UNAUTHORIZED, UPLOAD_NOT_FOUND for any upload that is not the caller''s, CONTACT_SNAPSHOT_CONFLICT for one stored already.';

revoke all on function api.store_contacts(jsonb) from public;
grant execute on function api.store_contacts(jsonb) to authenticated;
