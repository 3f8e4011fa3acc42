create table app.hub_profiles (
  user_id uuid primary key references app.users (id) on delete cascade,
  display_name text,
  photo_asset_id uuid references app.assets (id) on delete restrict,
  constraint hub_profiles_display_name_length check (char_length(btrim(display_name)) >= 2 and char_length(display_name) <= 80),
  constraint hub_profiles_display_name_plain check (app.is_plain_name(display_name))
);
comment on table app.hub_profiles is 'Private Hub identities (spec.md "User and profile"): how somebody appears inside Hubs, apart from their public profile.';
comment on column app.hub_profiles.display_name is 'Null as long as the name of the public profile serves.';

create index hub_profiles_photo_asset_id_idx on app.hub_profiles (photo_asset_id);

alter table app.hub_profiles enable row level security;

create policy hub_profiles_select on app.hub_profiles for select to authenticated
using (user_id = (select app.user_id()));

create policy hub_profiles_insert on app.hub_profiles for insert to authenticated
with check (user_id = (select app.user_id()) and (photo_asset_id is null or app.owns_asset(photo_asset_id)));

create policy hub_profiles_update on app.hub_profiles for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()) and (photo_asset_id is null or app.owns_asset(photo_asset_id)));

grant select on app.hub_profiles to authenticated;
grant insert (user_id, display_name, photo_asset_id) on app.hub_profiles to authenticated;
grant update (display_name, photo_asset_id) on app.hub_profiles to authenticated;

create trigger hub_profiles_release_photos_after_update after update on app.hub_profiles
referencing old table as former
for each statement execute function app.release_assets('photo_asset_id');

create trigger hub_profiles_release_photos_after_delete after delete on app.hub_profiles
referencing old table as former
for each statement execute function app.release_assets('photo_asset_id');

create trigger hub_profiles_rename_members_after_insert after insert on app.hub_profiles
for each row execute function app.rename_member();

create trigger hub_profiles_rename_members_after_update after update of display_name on app.hub_profiles
for each row when (old.display_name is distinct from new.display_name)
execute function app.rename_member();
