create function app.home_reasons(p_entries app.feed_entry[])
returns text[]
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    -- An offset keeps the planner from reading all that the caller follows, or shares a Hub with, for twenty authors.
    select case
      when p.author_id = (select app.user_id()) then 'own_post'
      when p.visibility <> 'private_locked_hub' and exists (
        select from app.follows as f
        where f.follower_id = (select app.user_id()) and f.followee_id = p.author_id
        offset 0
      ) then 'followed_author'
      when p.visibility <> 'private_locked_hub' and exists (
        select from app.memberships as theirs
        where theirs.user_id = p.author_id and theirs.hub_id in (select mine.hub_id from app.my_hubs as mine)
        offset 0
      ) then 'hub_co_member_author'
      when exists (select from app.placements as target where target.post_id = p.id and target.kind = 'targeted') then 'joined_hub_post'
      when entry.kind <> 'shared_to_hub' or app.acted_on(p.id) then 'friend_interaction'
      else 'shared_to_hub'
    end
    from unnest(p_entries) with ordinality as entry (at, id, kind, place)
    left join app.posts as p on p.id = entry.id
    order by entry.place
  );
end
$$;
comment on function app.home_reasons(app.feed_entry[]) is 'Why each of these posts is in the caller''s home feed (feedContext), in their order: the first reason that applies, as spec.md lists them.';

revoke all on function app.home_reasons(app.feed_entry[]) from public;
grant execute on function app.home_reasons(app.feed_entry[]) to authenticated;
