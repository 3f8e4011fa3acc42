-- Phone and code are keyed hashes.
create table app.otp_codes (
  phone_hash bytea primary key,
  code_hash bytea,
  wrong_try_count smallint not null default 0,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz[] not null default '{}',
  counts_in_prefix boolean not null default false,
  constraint otp_codes_phone_hash_is_sha256 check (length(phone_hash) = 32),
  constraint otp_codes_code_hash_is_sha256 check (length(code_hash) = 32),
  constraint otp_codes_tries_are_bounded check (wrong_try_count between 0 and 3)
);
comment on table app.otp_codes is 'One row per phone with a recent code: the newest one.';
comment on column app.otp_codes.code_hash is 'Null once the code has been used.';
comment on column app.otp_codes.sent_at is
  'Times of the last codes sent to this phone, newest first, as many as the daily limit counts.';
comment on column app.otp_codes.counts_in_prefix is
  'Whether the newest code counts in the limit of its block of numbers, until it is verified (docs/product.md A4).';
create index otp_codes_requested_at_idx on app.otp_codes (requested_at);
alter table app.otp_codes enable row level security;

-- The planner inlines it.
create function app.is_e164(p_number text) returns boolean language sql immutable
return coalesce(p_number ~ '^\+[1-9][0-9]{6,14}$', false);
comment on function app.is_e164 is 'Returns whether this is a phone number in E.164 form; false for null.';
grant execute on function app.is_e164 to authenticated;

create function app.are_e164(variadic p_numbers text[]) returns boolean
language sql immutable set search_path = ''
begin atomic
  select bool_and(app.is_e164(number)) from unnest(p_numbers) as number;
end;
comment on function app.are_e164 is
  'Returns whether each of these is a phone number in E.164 form; null for no numbers.';
grant execute on function app.are_e164 to authenticated;

-- Only the owner reads the row; others see app.profiles.
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
comment on table app.users is
  'One row per account, ended ones included: the facts that determine a level (docs/product.md L1, L2).';
comment on column app.users.device_hash is
  'Keyed hash of the app install, or of the anonymous user of the identity provider, that restores this account. '
  'Verifying a phone clears it, because a device id is too weak a credential for a phone''s account.';
alter table app.users enable row level security;
grant select (
  id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at, created_at,
  ended_at
)
  on app.users to authenticated;
grant update (terms_version, terms_accepted_at, media_completed_at, contacts_synced_at) on app.users to authenticated;

-- Keyed hashes; addresses count for 30 days, devices for a year.
create table app.sign_in_places (
  phone_hash bytea not null,
  place_hash bytea not null,
  user_id uuid not null references app.users (id) on delete cascade,
  is_device boolean not null,
  signed_in_at timestamptz not null default app.now(),
  constraint sign_in_places_pkey primary key (phone_hash, place_hash),
  constraint sign_in_places_hashes_are_sha256 check (length(phone_hash) = 32 and length(place_hash) = 32)
);
comment on table app.sign_in_places is
  'One row per phone and device or address from which it has signed in by code (docs/product.md A5, A6): guesses from '
  'elsewhere do not lock it out.';
comment on column app.sign_in_places.phone_hash is
  'Identifies the phone in the place of user_id, because requests for codes and tries must read no account.';
create index sign_in_places_user_id_idx on app.sign_in_places (user_id);
create index sign_in_places_place_hash_idx on app.sign_in_places (place_hash);
create index sign_in_places_signed_in_at_idx on app.sign_in_places (signed_in_at);
alter table app.sign_in_places enable row level security;

-- Deleting it ends the session, and all its tokens are invalid at once.
create table app.sessions (
  id uuid primary key default app.uuid_v7(),
  user_id uuid not null references app.users (id) on delete cascade,
  device_kind text not null default 'other',
  created_at timestamptz not null default app.now(),
  last_used_at timestamptz not null default app.now(),
  constraint sessions_device_kind_is_known check (device_kind in ('ios', 'android', 'web', 'other'))
);
comment on table app.sessions is 'One row per live session.';
comment on column app.sessions.last_used_at is
  'Time when the session began or was last refreshed. An access token lives 15 minutes, so the time is at most that '
  'far behind and needs no write per request.';
create index sessions_user_id_idx on app.sessions (user_id);
alter table app.sessions enable row level security;
grant select, delete on app.sessions to authenticated;

-- A replaced token stays until it expires, so that a late reuse is recognised and ends the session.
create table app.refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references app.sessions (id) on delete cascade,
  expires_at timestamptz not null,
  replaced_at timestamptz,
  constraint refresh_tokens_hash_is_sha256 check (length(token_hash) = 32)
);
comment on table app.refresh_tokens is 'One row per refresh token, by its SHA-256.';
create index refresh_tokens_session_id_idx on app.refresh_tokens (session_id);
create index refresh_tokens_expires_at_idx on app.refresh_tokens (expires_at);
alter table app.refresh_tokens enable row level security;

create table app.contact_snapshots (
  user_id uuid primary key references app.users (id) on delete cascade,
  upload_id uuid not null default app.uuid_v7(),
  permission text not null,
  contact_count integer,
  created_at timestamptz not null default app.now(),
  stored_at timestamptz,
  constraint contact_snapshots_upload_id_key unique (upload_id),
  constraint contact_snapshots_permission_is_known check (permission in ('granted', 'limited')),
  constraint contact_snapshots_contact_count_is_within_limit check (contact_count between 0 and 1000000)
);
comment on table app.contact_snapshots is
  'One row per user with the contacts step done: the only upload of their contacts, announced by that step and stored '
  'when it arrives (docs/product.md O5, O6).';
comment on column app.contact_snapshots.contact_count is
  'Number of contacts on the device, as the device reports it; null if it does not.';
alter table app.contact_snapshots enable row level security;
grant select on app.contact_snapshots to authenticated;
grant insert (user_id, permission, contact_count) on app.contact_snapshots to authenticated;
grant update (stored_at) on app.contact_snapshots to authenticated;

-- Only their owner reads them.
create table app.contacts (
  user_id uuid not null references app.contact_snapshots (user_id) on delete cascade,
  place integer not null,
  name text not null,
  phone_numbers text[] not null,
  thumbnail bytea,
  constraint contacts_pkey primary key (user_id, place),
  constraint contacts_name_length check (char_length(name) <= 200),
  constraint contacts_place_is_within_limit check (place between 1 and 5000),
  constraint contacts_phone_numbers_are_e164 check (app.are_e164(variadic phone_numbers)),
  constraint contacts_phone_numbers_are_few check (cardinality(phone_numbers) <= 50),
  constraint contacts_thumbnail_is_small check (octet_length(thumbnail) <= 8192)
);
comment on table app.contacts is 'One row per contact of a stored snapshot, in the order of the upload.';
-- Account deletion removes the phone from all snapshots.
create index contacts_phone_numbers_idx on app.contacts using gin (phone_numbers);
alter table app.contacts enable row level security;
grant select on app.contacts to authenticated;
grant insert (user_id, place, name, phone_numbers, thumbnail) on app.contacts to authenticated;

-- The account's posts are hidden while it is here.
create table app.account_deletions (
  user_id uuid primary key references app.users (id) on delete cascade,
  merged_into_id uuid references app.users (id) on delete set null,
  deleted_at timestamptz not null default app.now(),
  due_at timestamptz not null default app.now(),
  attempt_count integer not null default 0
);
comment on table app.account_deletions is
  'The worker''s queue: one row per ended account with data left to remove, or to move after a merge.';
comment on column app.account_deletions.due_at is
  'Time from which a worker may claim the row. A claim moves it ahead, so another worker takes over if the first one '
  'dies.';
create index account_deletions_due_at_idx on app.account_deletions (due_at);
create index account_deletions_merged_into_id_idx on app.account_deletions (merged_into_id);
alter table app.account_deletions enable row level security;
grant select (user_id, deleted_at) on app.account_deletions to anon, authenticated;

-- staff.audit_log holds the author and the reason.
create table app.suspensions (
  user_id uuid primary key references app.users (id) on delete cascade,
  suspended_at timestamptz not null default app.now()
);
comment on table app.suspensions is
  'One row per account suspended by staff, until staff restores it: the account opens no session, and its content and '
  'activity are hidden.';
alter table app.suspensions enable row level security;
grant select on app.suspensions to anon, authenticated;

-- Lists leave these users out, and elsewhere their remains show no id and no name.
--
-- Unlike app.hidden_users this view needs no caller, so the worker can read it for any recipient.
create view app.users_hidden_from_all with (security_invoker = true) as
select d.user_id, 'account_deletions' as reason
from app.account_deletions as d
union all
select s.user_id, 'suspensions'
from app.suspensions as s;
comment on view app.users_hidden_from_all is
  'The users hidden from everybody, and the table that says so: suspended by staff, or deleted and not yet erased.';
grant select on app.users_hidden_from_all to anon, authenticated;

create function app.is_handle(p_text text) returns boolean
language sql immutable set search_path = ''
begin atomic
  select p_text ~ '^[a-z0-9_]{3,30}$';
end;
comment on function app.is_handle is 'Returns whether a text is a username in canonical form (docs/product.md P2).';
grant execute on function app.is_handle to authenticated;

-- It is the skeleton of UTS 39 (Unicode Security Mechanisms), in lower case, for the few characters that a
-- handle may have.
create function app.handle_skeleton(p_handle text) returns text
language sql immutable set search_path = ''
begin atomic
  select replace(translate(p_handle, '01', 'ol'), 'm', 'rn');
end;
comment on function app.handle_skeleton is
  'Returns the skeleton of a handle: two handles with the same one look alike (docs/product.md A7).';
grant execute on function app.handle_skeleton to authenticated;

create function app.is_reserved_handle(p_handle text) returns boolean
language sql immutable set search_path = ''
begin atomic
  select app.handle_skeleton(replace(p_handle, '_', '')) in (
    select app.handle_skeleton(reserved.name) from unnest(array[
      'abuse', 'account', 'admin', 'administrator', 'all', 'anonymous', 'api', 'app', 'auth', 'billing', 'blog', 'bot',
      'contact', 'deleted', 'developer', 'everybody', 'everyone', 'feed', 'guest', 'help', 'here', 'home', 'hostmaster',
      'hub', 'hubs', 'info', 'legal', 'login', 'logout', 'mail', 'me', 'mod', 'moderator', 'moderators', 'myself',
      'news', 'nobody', 'none', 'noreply', 'notifications', 'null', 'official', 'opine', 'opineadmin', 'opineapp',
      'opinehelp', 'opineofficial', 'opineofficials', 'opinestaff', 'opinesupport', 'opineteam', 'owner', 'postmaster',
      'post', 'posts', 'press', 'privacy', 'profile', 'register', 'root', 'safety', 'search', 'security', 'service',
      'settings', 'signin', 'signup', 'staff', 'status', 'support', 'sysadmin', 'system', 'team', 'terms', 'undefined',
      'unknown', 'user', 'username', 'users', 'verified', 'webmaster', 'www'
    ]) as reserved (name)
  );
end;
comment on function app.is_reserved_handle is
  'Returns whether a canonical handle is reserved: names of the service, its staff and its pages, with underscores '
  'anywhere, and what looks like them (docs/product.md P3, A7).';
grant execute on function app.is_reserved_handle to authenticated;

-- An account without a row is anonymous.
create table app.profiles (
  user_id uuid primary key references app.users (id) on delete cascade,
  username text collate "C" not null,
  full_name text not null,
  bio text,
  photo_asset_id uuid,
  search_name text collate "C" not null generated always as (app.search_key(full_name)) stored,
  created_at timestamptz not null default app.now(),
  constraint profiles_username_key unique (username),
  constraint profiles_username_is_canonical check (app.is_handle(username)),
  constraint profiles_username_is_not_reserved check (not app.is_reserved_handle(username)),
  constraint profiles_full_name_length check (char_length(btrim(full_name)) >= 2 and char_length(full_name) <= 80),
  constraint profiles_full_name_plain check (app.is_plain_name(full_name)),
  constraint profiles_bio_length check (char_length(bio) between 1 and 160),
  constraint profiles_bio_visible check (app.has_visible_character(bio))
);
comment on table app.profiles is 'One row per registered user: the public profile (docs/product.md P6, P8).';
comment on column app.profiles.search_name is
  'The name as searches compare it. In byte order, like the username, so a search by prefix is an index range.';
create unique index profiles_skeleton_key on app.profiles (app.handle_skeleton(username));
create index profiles_photo_asset_id_idx on app.profiles (photo_asset_id);
create index profiles_search_name_idx on app.profiles (search_name, user_id);
create index profiles_last_word_idx on app.profiles (app.last_word(search_name), user_id);
-- No fastupdate: every search would read the whole list of pending entries.
create index profiles_fuzzy_idx on app.profiles using gin (
  (username || ' ' || app.trigram_key(search_name)) extensions.gin_trgm_ops
)
  with (fastupdate = off);
create index profiles_words_idx on app.profiles using gin (app.word_vector(full_name)) with (fastupdate = off);
alter table app.profiles enable row level security;
grant select on app.profiles to anon, authenticated;
grant insert (user_id, username, full_name, bio) on app.profiles to authenticated;
grant update (username, full_name, bio, photo_asset_id) on app.profiles to authenticated;

create type app.device_platform as enum ('android', 'ios');
comment on type app.device_platform is
  'The platform of a device token, which selects its push service (docs/product.md N21).';

-- The SHA-256 of the token identifies it. The token is sealed by a key that the database does not have.
create table app.device_tokens (
  token_hash bytea primary key,
  user_id uuid not null references app.users (id) on delete cascade,
  session_id uuid references app.sessions (id) on delete cascade,
  platform app.device_platform not null,
  sealed_token bytea not null,
  refreshed_at timestamptz not null default app.now(),
  constraint device_tokens_token_hash_is_sha256 check (length(token_hash) = 32),
  constraint device_tokens_sealed_token_length check (length(sealed_token) between 28 and 20000)
);
comment on table app.device_tokens is 'One row per push token (docs/product.md N21, N22).';
comment on column app.device_tokens.session_id is
  'The session that registered the token; the token goes when the session ends. Null after a merge has moved the '
  'token, until the merging sign-in sets its own session.';
create index device_tokens_user_id_refreshed_at_idx on app.device_tokens (user_id, refreshed_at);
create index device_tokens_session_id_idx on app.device_tokens (session_id);
create index device_tokens_refreshed_at_idx on app.device_tokens (refreshed_at);
alter table app.device_tokens enable row level security;
grant select (token_hash, user_id, session_id, platform, refreshed_at) on app.device_tokens to authenticated;
grant delete on app.device_tokens to authenticated;

grant select (user_id, username, full_name, bio, created_at) on app.profiles to staff_support;
