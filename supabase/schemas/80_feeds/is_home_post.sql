create function app.is_home_post(p_post_id uuid, p_place app.feed_place)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
declare
  v_until timestamptz := app.place_until(p_place);
  v_activity_until timestamptz := app.activity_until(p_place);
begin
  return exists (
    select
    from app.counted_events as e
    where e.post_id = p_post_id and not e.is_own_share and e.occurred_at <= v_until
      and (e.kind in ('published', 'targeted', 'shared_to_hub') or e.occurred_at <= v_activity_until)
      and e.source_id in (select s.source_id from app.my_sources as s)
  ) or exists (
    select from app.posts as p
    where p.id = p_post_id and p.author_id = app.user_id() and p.visibility <> 'private_locked_hub'
  );
end
$$;
comment on function app.is_home_post(uuid, app.feed_place) is 'Whether anything but their own share into a Hub brings a post into the caller''s home feed. For definer functions, as it reads streams. Args: the post; a place in the feed, which says until when events count.';

revoke all on function app.is_home_post(uuid, app.feed_place) from public;
