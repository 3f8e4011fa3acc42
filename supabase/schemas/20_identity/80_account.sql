-- A second run moves what was added since the first: of what both accounts have, p_into keeps its own. Rooms
-- above move what they hold (90_accounts).
create function app.move_identity(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  update app.profiles as p
  set user_id = p_into
  where p.user_id = p_from and not exists (select from app.profiles as own where own.user_id = p_into);
  update app.users as u
  set terms_version = coalesce(u.terms_version, other.terms_version),
    terms_accepted_at = coalesce(u.terms_accepted_at, other.terms_accepted_at),
    media_completed_at = coalesce(u.media_completed_at, other.media_completed_at)
  from app.users as other
  where u.id = p_into and other.id = p_from;
end
$$;
comment on function app.move_identity is
  'Moves profile, consent and onboarding of a merged account (docs/product.md I16).';

-- The row of the account stays, as an id alone, for the receipts of its votes.
create function app.erase_identity(p_user_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.sessions where user_id = p_user_id;
  delete from app.device_tokens where user_id = p_user_id;
  delete from app.contact_snapshots where user_id = p_user_id;
  delete from app.profiles where user_id = p_user_id;
  delete from app.rate_limits where subject = p_user_id::text;
  delete from app.sign_in_places where user_id = p_user_id;
  -- A contact with this phone is an entry about this person, so the whole entry goes.
  delete from app.contacts as c
  using app.users as u
  where u.id = p_user_id and c.phone_numbers @> array[u.phone];
  update app.users
  set phone = null, phone_verified_at = null, device_hash = null, terms_version = null, terms_accepted_at = null,
    media_completed_at = null, contacts_synced_at = null, ended_at = coalesce(ended_at, app.now())
  where id = p_user_id;
end
$$;
comment on function app.erase_identity is
  'Erases who an ended account was: sessions, device tokens, phone, contacts, name and handle (docs/product.md I17).';

create function app.export_contacts() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'name', c.name, 'phoneNumbers', to_jsonb(c.phone_numbers), 'hasThumbnail', c.thumbnail is not null
  )
  from app.contacts as c
  where c.user_id = app.user_id()
  order by c.place
  limit 100000;
end;
comment on function app.export_contacts is
  'Returns the section contacts of the export: the contacts that the caller uploaded, in their order.';
grant execute on function app.export_contacts to authenticated;

create function app.export_device_tokens() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('sessionId', t.session_id, 'platform', t.platform, 'refreshedAt', app.iso(t.refreshed_at))
  from app.device_tokens as t
  where t.user_id = app.user_id()
  order by t.refreshed_at desc
  limit 100000;
end;
comment on function app.export_device_tokens is
  'Returns the section deviceTokens of the export: the devices with push messages, without the tokens.';
grant execute on function app.export_device_tokens to authenticated;

-- Ends an account at once, and queues the rest for the worker. Rooms above erase and move what they hold
-- (app.begin_account_deletion), before the row is there.
--
-- Args: p_merged_into (the account that gets its data, or null).
create function app.end_user(p_user_id uuid, p_merged_into uuid default null) returns void
language sql set search_path = ''
begin atomic
  insert into app.account_deletions (user_id, merged_into_id)
  values (p_user_id, p_merged_into)
  on conflict (user_id) do nothing;
end;
comment on function app.end_user is 'Ends an account (docs/product.md I16-I19).';

create function app.export_account() returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', u.id,
    'phoneNumber', u.phone,
    'phoneVerifiedAt', app.iso(u.phone_verified_at),
    'termsVersion', u.terms_version,
    'termsAcceptedAt', app.iso(u.terms_accepted_at),
    'mediaCompletedAt', app.iso(u.media_completed_at),
    'createdAt', app.iso(u.created_at)
  )
  from app.users as u
  where u.id = app.user_id();
end;
comment on function app.export_account is 'Returns the section account of the export; null for an ended account.';
grant execute on function app.export_account to authenticated;

create function app.export_contact_snapshot() returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'uploadId', s.upload_id,
    'permission', s.permission,
    'contactCount', s.contact_count,
    'createdAt', app.iso(s.created_at),
    'storedAt', app.iso(s.stored_at)
  )
  from app.contact_snapshots as s
  where s.user_id = app.user_id();
end;
comment on function app.export_contact_snapshot is 'Returns the section contactSnapshot of the export.';
grant execute on function app.export_contact_snapshot to authenticated;
