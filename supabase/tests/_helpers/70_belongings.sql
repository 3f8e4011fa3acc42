create function tests.stored_object(p_name text, p_owner text, p_expires_at timestamptz default null)
returns uuid
language sql
begin atomic
  insert into app.stored_objects (id, owner_id, bucket, expires_at)
  values (tests.id(p_name), tests.id(p_owner), 'media', p_expires_at)
  returning id;
end;
comment on function tests.stored_object(text, text, timestamptz) is 'Something in object storage that belongs to somebody, to be removed at p_expires_at or kept.';

create function tests.sealed(p_token text)
returns bytea
language sql
immutable
return tests.hash('sealed ' || p_token);
comment on function tests.sealed(text) is 'A device token as the service''s key seals it.';

create function tests.device_token(p_name text, p_owner text, p_refreshed_at timestamptz default app.now())
returns bytea
language sql
begin atomic
  insert into app.device_tokens (token_hash, user_id, session_id, platform, sealed_token, refreshed_at)
  select tests.hash(p_name), tests.id(p_owner), s.id, 'ios', tests.sealed(p_name), p_refreshed_at
  from (values (tests.id('session of ' || p_owner))) as named (id)
  left join app.sessions as s using (id)
  returning token_hash;
end;
comment on function tests.device_token(text, text, timestamptz) is 'A device token of somebody, registered by tests.session(p_owner) where there is one.';

create function tests.register_device(p_token text, p_platform text default 'ios')
returns jsonb
language sql
return api.register_device_token(jsonb_build_object(
  'tokenHash', tests.hex(p_token), 'sealedToken', encode(tests.sealed(p_token), 'base64'), 'platform', p_platform
));
comment on function tests.register_device(text, text) is 'The caller''s device hands over its push token.';

create function tests.upload(p_name text)
returns uuid
language sql
begin atomic
  insert into app.contact_snapshots (user_id, upload_id, permission)
  values (tests.id(p_name), tests.id('upload of ' || p_name), 'granted')
  returning upload_id;
end;
comment on function tests.upload(text) is 'Somebody''s contacts, announced and not stored yet.';

create function tests.store_contacts(p_upload text, variadic p_phones text[])
returns jsonb
language sql
return api.store_contacts(jsonb_build_object(
  'uploadId', tests.id('upload of ' || p_upload),
  'contacts', jsonb_build_array(jsonb_build_object('name', 'Somebody', 'phoneNumbers', to_jsonb(p_phones)))
));
comment on function tests.store_contacts(text, text[]) is 'The caller uploads a contact with these phones to tests.upload(p_upload).';
