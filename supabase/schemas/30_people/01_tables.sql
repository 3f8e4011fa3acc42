create table app.hub_profiles (
  user_id uuid primary key references app.users (id) on delete cascade,
  display_name text,
  photo_asset_id uuid references app.assets (id) on delete restrict,
  constraint hub_profiles_display_name_length check (
    char_length(btrim(display_name)) >= 2 and char_length(display_name) <= 80
  ),
  constraint hub_profiles_display_name_plain check (app.is_plain_name(display_name))
);
comment on table app.hub_profiles is
  'One row per private Hub profile (docs/product.md P12): how a user appears inside Hubs, apart from the public '
  'profile.';
comment on column app.hub_profiles.display_name is 'Null while the name of the public profile applies.';
create index hub_profiles_photo_asset_id_idx on app.hub_profiles (photo_asset_id);
alter table app.hub_profiles enable row level security;
grant select on app.hub_profiles to authenticated;
grant insert (user_id, display_name, photo_asset_id) on app.hub_profiles to authenticated;
grant update (display_name, photo_asset_id) on app.hub_profiles to authenticated;

-- Triggers maintain app.follow_counts on insert and delete only, so no update may change the two users of a
-- row.
create table app.follows (
  follower_id uuid not null references app.users (id) on delete cascade,
  followee_id uuid not null references app.users (id) on delete cascade,
  is_muted boolean not null default false,
  created_at timestamptz not null default app.now(),
  constraint follows_pkey primary key (follower_id, followee_id),
  constraint follows_are_of_others check (follower_id <> followee_id)
);
comment on table app.follows is 'One row per follow.';
comment on column app.follows.is_muted is
  'Whether the follower has turned off alerts about the followee''s publications (publicPostsMuted).';
create index follows_follower_id_created_at_idx on app.follows (follower_id, created_at desc, followee_id desc);
create index follows_alerted_idx on app.follows (followee_id, follower_id) where not is_muted;
create index follows_followee_id_created_at_idx on app.follows (followee_id, created_at desc, follower_id desc);
alter table app.follows enable row level security;
grant select on app.follows to authenticated;
grant update (is_muted) on app.follows to authenticated;
grant delete on app.follows to authenticated;

-- No row means zero.
create table app.follow_counts (
  user_id uuid primary key references app.users (id) on delete cascade,
  follower_count integer not null,
  following_count integer not null,
  constraint follow_counts_are_not_negative check (follower_count >= 0 and following_count >= 0)
);
comment on table app.follow_counts is
  'One row per user with follows: how many rows of app.follows name the user on either side, maintained by the '
  'triggers of that table.';
alter table app.follow_counts enable row level security;
grant select on app.follow_counts to anon, authenticated;

-- Other objects read it through app.blockers, app.blocked_users and app.blocked_pairs.
create table app.blocks (
  blocker_id uuid not null references app.users (id) on delete cascade,
  blocked_id uuid not null references app.users (id) on delete cascade,
  created_at timestamptz not null default app.now(),
  constraint blocks_pkey primary key (blocker_id, blocked_id),
  constraint blocks_are_of_others check (blocker_id <> blocked_id)
);
comment on table app.blocks is 'One row per block.';
create index blocks_blocker_id_created_at_idx on app.blocks (blocker_id, created_at desc, blocked_id desc);
create index blocks_blocked_id_idx on app.blocks (blocked_id);
alter table app.blocks enable row level security;
-- Guests see no row, but the policies that apply to guests read this table.
grant select on app.blocks to anon, authenticated;
grant delete on app.blocks to authenticated;

create trigger profiles_release_photos_after_update after update on app.profiles
referencing old table as former
for each statement execute function app.delete_former_assets('photo_asset_id');

create trigger profiles_release_photos_after_delete after delete on app.profiles
referencing old table as former
for each statement execute function app.delete_former_assets('photo_asset_id');

create trigger hub_profiles_release_photos_after_update after update on app.hub_profiles
referencing old table as former
for each statement execute function app.delete_former_assets('photo_asset_id');

create trigger hub_profiles_release_photos_after_delete after delete on app.hub_profiles
referencing old table as former
for each statement execute function app.delete_former_assets('photo_asset_id');
