create function app.is_home_post(p_post_id uuid, p_until timestamptz)
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
    from app.counted_events as e
    where e.post_id = p_post_id and not e.is_own_share and e.occurred_at <= p_until
      and e.source_id in (select s.source_id from app.my_sources as s)
  ) or exists (
    select from app.posts as p
    where p.id = p_post_id and p.author_id = app.user_id() and p.visibility <> 'private_locked_hub'
  );
end
$$;
comment on function app.is_home_post(uuid, timestamptz) is 'Whether anything but their own share into a Hub brings a post into the caller''s home feed. For definer functions, as it reads streams. Args: the post, until when events count.';

revoke all on function app.is_home_post(uuid, timestamptz) from public;
