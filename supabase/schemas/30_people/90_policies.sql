create policy profiles_select on app.profiles for select to anon, authenticated
using (
  -- The own row stays visible during account deletion, so a concurrent save of it does not fail.
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

create policy hub_profiles_select on app.hub_profiles for select to authenticated
using (user_id = (select app.user_id()));

create policy hub_profiles_insert on app.hub_profiles for insert to authenticated
with check (user_id = (select app.user_id()) and (photo_asset_id is null or app.owns_asset(photo_asset_id)));

create policy hub_profiles_update on app.hub_profiles for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()) and (photo_asset_id is null or app.owns_asset(photo_asset_id)));

create policy follows_select on app.follows for select to authenticated
using (
  -- Own follows are read most, and need no check: a block deletes the follows of its pair.
  follower_id = (select app.user_id())
  or followee_id = (select app.user_id())
  or (
    follower_id not in (select b.user_id from app.blocked_users as b)
    and followee_id not in (select b.user_id from app.blocked_users as b)
  )
);

create policy follows_update on app.follows for update to authenticated
using (follower_id = (select app.user_id()))
with check (follower_id = (select app.user_id()));

create policy follows_delete on app.follows for delete to authenticated
using (follower_id = (select app.user_id()));

create policy follow_counts_select on app.follow_counts for select to anon, authenticated using (true);

create policy blocks_select on app.blocks for select to authenticated
using ((select app.user_id()) in (blocker_id, blocked_id));

create policy blocks_delete on app.blocks for delete to authenticated
using (blocker_id = (select app.user_id()));
