create function app.was_home_post(p_post_id uuid, p_place app.feed_place)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return exists (
    select
    from app.feed_acts as a
    where a.post_id = p_post_id and not a.is_own_share and a.occurred_at <= p_place.began_at
      and (a.lost_by is null or not pg_visible_in_snapshot(a.lost_by, p_place.seen))
      and a.source_id in (
        select s.source_id from app.my_sources as s where s.since <= p_place.began_at
        union all
        select f.source_id
        from app.former_sources as f
        where f.user_id = app.user_id() and not pg_visible_in_snapshot(f.ended_by, p_place.seen)
      )
      and (
        a.kind in ('targeted', 'shared_to_hub')
        or (
          a.actor_id not in (select s.user_id from app.hidden_users as s where s.since <= p_place.began_at)
          -- Who joined a Hub since brought along what they had done before.
          and not exists (
            select from app.memberships as m
            where m.hub_id = a.hub_id and m.user_id = a.actor_id and m.joined_at > p_place.began_at
          )
        )
      )
  ) or exists (
    select from app.posts as p
    where p.id = p_post_id and p.author_id = app.user_id() and p.visibility <> 'private_locked_hub'
  );
end
$$;
comment on function app.was_home_post(uuid, app.feed_place) is 'Whether anything but their own share into a Hub brought a post into the caller''s home feed when the walk of p_place began. For definer functions, as it reads streams.';

revoke all on function app.was_home_post(uuid, app.feed_place) from public;
