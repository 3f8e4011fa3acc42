create table app.users (
  id uuid primary key default app.uuid_v7(),
  phone text,
  phone_verified_at timestamptz,
  device_hash bytea,
  terms_version text,
  terms_accepted_at timestamptz,
  media_completed_at timestamptz,
  contacts_synced_at timestamptz,
  created_at timestamptz not null default app.now(),
  ended_at timestamptz,
  constraint users_phone_key unique (phone),
  constraint users_device_hash_key unique (device_hash),
  constraint users_phone_is_e164 check (phone is null or app.are_e164(phone)),
  constraint users_phone_is_verified check ((phone is null) = (phone_verified_at is null)),
  constraint users_device_is_of_phoneless check (device_hash is null or phone is null),
  constraint users_ended_hold_nothing check (
    ended_at is null or num_nonnulls(phone, device_hash, terms_version, media_completed_at, contacts_synced_at) = 0
  ),
  constraint users_terms_are_dated check ((terms_version is null) = (terms_accepted_at is null)),
  constraint users_terms_version_length check (char_length(terms_version) <= 40)
);
comment on table app.users is 'Accounts: what levels are made of (spec.md "Authentication"). Readable by their owner alone; what others see of a person is app.profiles.';
comment on column app.users.device_hash is 'Keyed hash of the install, or of the identity provider''s anonymous user, that restores this account. It goes once a phone is verified: a device id is too weak a key to a phone''s account.';

alter table app.users enable row level security;

create policy users_select on app.users for select to authenticated
using (id = (select app.user_id()));

create policy users_update on app.users for update to authenticated
using (id = (select app.user_id()))
with check (id = (select app.user_id()));

grant select (id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at, created_at, ended_at)
  on app.users to authenticated;
grant update (terms_version, terms_accepted_at, media_completed_at, contacts_synced_at) on app.users to authenticated;

create trigger users_note_inbox_after_update after update on app.users
for each row when (
  (old.phone is null, old.media_completed_at is null, old.contacts_synced_at is null)
  is distinct from (new.phone is null, new.media_completed_at is null, new.contacts_synced_at is null)
)
execute function app.note_inbox_scopes('id');
