create table app.profiles (
  user_id uuid primary key references app.users (id) on delete cascade,
  username text collate "C" not null,
  full_name text not null,
  bio text,
  photo_asset_id uuid references app.assets (id) on delete restrict,
  search_name text collate "C" not null generated always as (app.folded(full_name)) stored,
  created_at timestamptz not null default app.now(),
  constraint profiles_username_key unique (username),
  constraint profiles_username_is_canonical check (app.is_handle(username)),
  constraint profiles_username_is_not_reserved check (not app.is_reserved_handle(username)),
  constraint profiles_full_name_length check (char_length(btrim(full_name)) >= 2 and char_length(full_name) <= 80),
  constraint profiles_full_name_plain check (app.is_plain_name(full_name)),
  constraint profiles_bio_length check (char_length(bio) between 1 and 160),
  constraint profiles_bio_visible check (app.has_visible_character(bio))
);
comment on table app.profiles is 'What everybody may see of a registered person (spec.md "User and profile"). An account without a row here is anonymous.';
comment on column app.profiles.search_name is 'The name as searches compare it. In byte order, as is the username, so that what begins with a text is a range of the index.';

create index profiles_photo_asset_id_idx on app.profiles (photo_asset_id);
create index profiles_search_name_idx on app.profiles (search_name, user_id);
create index profiles_last_word_idx on app.profiles (app.last_word(search_name), user_id);
-- Entries that wait to be merged into the index would all be read by each search.
create index profiles_fuzzy_idx on app.profiles using gin ((username || ' ' || search_name) extensions.gin_trgm_ops)
  with (fastupdate = off);

alter table app.profiles enable row level security;

create policy profiles_select on app.profiles for select to anon, authenticated
using (
  -- Saving one's own profile while one's account ends is no error.
  user_id = (select app.user_id())
  or (
    user_id not in (select b.user_id from app.blockers as b)
    and user_id not in (select h.user_id from app.users_hidden_from_all as h)
  )
);

create policy profiles_insert on app.profiles for insert to authenticated
with check (user_id = (select app.user_id()));

create policy profiles_update on app.profiles for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()) and (photo_asset_id is null or app.owns_asset(photo_asset_id)));

grant select on app.profiles to anon, authenticated;
grant insert (user_id, username, full_name, bio) on app.profiles to authenticated;
grant update (username, full_name, bio, photo_asset_id) on app.profiles to authenticated;

create trigger profiles_release_photos_after_update after update on app.profiles
referencing old table as former
for each statement execute function app.release_assets('photo_asset_id');

create trigger profiles_release_photos_after_delete after delete on app.profiles
referencing old table as former
for each statement execute function app.release_assets('photo_asset_id');

create trigger profiles_rename_members_after_update after update of username, full_name on app.profiles
for each row when ((old.username, old.full_name) is distinct from (new.username, new.full_name))
execute function app.rename_member();

create trigger profiles_rename_members_after_delete after delete on app.profiles
for each row execute function app.rename_member();
