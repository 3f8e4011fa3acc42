-- Deletes a post with its article, receipts and pools.
--
-- Args: postId. Returns {}.
create function api.delete_post(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_post app.posts;
begin
  perform app.require_level(1);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if v_post.author_id <> app.user_id() then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  -- A concurrent request may have deleted it.
  if not app.delete_post(v_post.id) then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.delete_post is 'DELETE /posts/{postId} (docs/product.md PO18).';
grant execute on function api.delete_post to authenticated;

create function app.lock_post_for_deletion(p_post_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform app.lock_actor(p.author_id) from app.posts as p where p.id = p_post_id;
  -- Includes the original, because its repost_count changes.
  perform from app.posts as p
  where p.id in (p_post_id, (select own.source_post_id from app.posts as own where own.id = p_post_id))
  order by p.id
  for no key update;
end
$$;
comment on function app.lock_post_for_deletion is
  'Locks the author of a post, then the post and its original by ascending id, so that its deletion cannot deadlock '
  'with a membership change, a fold or a repost.';
grant execute on function app.lock_post_for_deletion to authenticated;

-- Returns false if it was gone.
create function app.delete_post(p_post_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_article_id uuid;
begin
  perform app.lock_post_for_deletion(p_post_id);
  delete from app.posts as p where p.id = p_post_id returning p.article_id into v_article_id;
  if not found then
    return false;
  end if;
  delete from app.articles as a where a.id = v_article_id;
  return true;
end
$$;
comment on function app.delete_post is 'Deletes a post with its article, receipts and pools.';
grant execute on function app.delete_post to authenticated;

-- Returns false if it was gone.
create function app.hide_post(p_post_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_post app.posts;
begin
  perform app.lock_post_for_deletion(p_post_id);
  update app.posts as p
  set removed_at = app.now()
  where p.id = p_post_id and p.removed_at is null
  returning * into v_post;
  if v_post.id is null then
    return false;
  end if;
  delete from app.events as e where e.post_id = p_post_id;
  update app.posts as s set repost_count = s.repost_count - 1 where s.id = v_post.source_post_id;
  perform app.end_activity(
    'reposted', v_post.author_id, v_post.source_post_id, app.last_repost(v_post.author_id, v_post.source_post_id)
  ),
    app.count_trending('reposted', v_post.author_id, v_post.source_post_id)
  where v_post.source_post_id is not null;
  return true;
end
$$;
comment on function app.hide_post is
  'Hides a post from everybody, with its comments, votes and discussions, and deletes its notifications.';

-- Returns false if the post is gone.
create function app.restore_post(p_post_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_post app.posts;
begin
  perform app.lock_post_for_deletion(p_post_id);
  update app.posts as p
  set removed_at = null
  where p.id = p_post_id and p.removed_at is not null
  returning * into v_post;
  if v_post.id is null then
    return false;
  end if;
  update app.posts as s set repost_count = s.repost_count + 1 where s.id = v_post.source_post_id;
  perform app.record_activity(
    'reposted', v_post.author_id, v_post.source_post_id, app.last_repost(v_post.author_id, v_post.source_post_id)
  ),
    app.count_trending('reposted', v_post.author_id, v_post.source_post_id)
  from app.posts as s
  where s.id = v_post.source_post_id;
  return true;
end
$$;
comment on function app.restore_post is 'Undoes app.hide_post; the notifications stay deleted.';

create function app.last_repost(p_author_id uuid, p_source_post_id uuid) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (
    select max(p.created_at)
    from app.posts as p
    where p.author_id = p_author_id and p.source_post_id = p_source_post_id and p.removed_at is null
  );
end
$$;
comment on function app.last_repost is 'Returns when an author last reposted a post, null if they no longer do.';

-- A deletion of the post then comes before or after.
--
-- Args: the column with the post id. Errors: POST_NOT_FOUND (deleted or removed meanwhile).
create function app.lock_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform app.lock_actor(app.user_id());
  perform from app.posts as p
  -- Staff restores comments of a removed post as well.
  where p.id = (to_jsonb(new) ->> tg_argv[0])::uuid and (p.removed_at is null or app.user_id() is null)
  for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return new;
end
$$;
comment on function app.lock_post is
  'Trigger: locks the caller, then a post, before the caller comments on, places, shares or reposts it.';

create function app.record_post_deletions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Originals first: this update waits for concurrent reposts, and the next statement sees them.
  update app.posts as s
  set repost_count = s.repost_count - gone.count
  from (
    select f.source_post_id, count(*)
    from former as f
    where f.source_post_id is not null and f.removed_at is null
    group by f.source_post_id
  ) as gone
  where s.id = gone.source_post_id;
  perform
    app.end_activity(
      'reposted', gone.author_id, gone.source_post_id, app.last_repost(gone.author_id, gone.source_post_id)
    ),
    app.count_trending('reposted', gone.author_id, gone.source_post_id)
  from (select distinct f.author_id, f.source_post_id from former as f where f.source_post_id is not null) as gone;
  return null;
end
$$;
comment on function app.record_post_deletions is
  'Trigger: subtracts deleted reposts from the repost_count of their originals and deletes their activity.';

create trigger posts_lock_source_before_insert before insert on app.posts
for each row when (new.source_post_id is not null)
execute function app.lock_post('source_post_id');

create trigger posts_record_after_delete after delete on app.posts
referencing old table as former
for each statement execute function app.record_post_deletions();

create trigger placements_lock_post_before_insert before insert on app.placements
for each row execute function app.lock_post('post_id');

create trigger feed_shares_lock_post_before_insert before insert on app.feed_shares
for each row execute function app.lock_post('post_id');
