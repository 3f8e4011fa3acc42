-- Lists the comments on a post, or the replies of one thread, oldest first.
--
-- Args: postId, cursor, limit, parentCommentId (optional: the root of a thread). Returns items and
-- nextCursor.
create function api.list_comments(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_parent_id uuid := (p_args ->> 'parentCommentId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_comments', p_args, p_is_shared => true);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor', true);
  v_page app.comments[];
  v_until timestamptz;
  v_hidden app.comments[];
begin
  perform app.require_commentable(v_post_id);
  if v_parent_id is null then
    v_page := array(
      select c
      from app.comments as c
      where c.post_id = v_post_id and c.parent_id is null and (c.created_at, c.id) > (v_from.at, v_from.id)
      order by c.created_at, c.id
      limit v_limit + 1
    );
    v_until := coalesce((v_page[v_limit + 1]).created_at, 'infinity');
    v_hidden := array(select hidden from app.hidden_comment_roots(v_post_id, v_from.at, v_until) as hidden);
    if v_hidden <> '{}' then
      v_page := array(
        select c.comment
        from (
          select seen as comment, seen.created_at, seen.id
          from unnest(v_page) as seen
          union all
          select hidden, hidden.created_at, hidden.id
          from unnest(v_hidden) as hidden
          where (hidden.created_at, hidden.id) > (v_from.at, v_from.id) and app.sees_thread(hidden.id)
            and exists (select from app.comments as reply where reply.parent_id = hidden.id)
        ) as c
        order by c.created_at, c.id
        limit v_limit + 1
      );
    end if;
  else
    -- A thread exists for the caller if they see its root or a reply.
    if not app.sees_thread(v_parent_id) or not exists (
      select from app.comments as c
      where c.post_id = v_post_id and (c.parent_id = v_parent_id or c.id = v_parent_id and c.parent_id is null)
    ) then
      raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
    end if;
    v_page := array(
      select c
      from app.comments as c
      where c.parent_id = v_parent_id and c.post_id = v_post_id and (c.created_at, c.id) > (v_from.at, v_from.id)
      order by c.created_at, c.id
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.comments_json(v_page[:v_limit]),
    'nextCursor', app.next_cursor(
      v_list, array(select (c.created_at, c.id)::app.list_entry from unnest(v_page) as c), v_limit
    )
  );
end
$$;
comment on function api.list_comments is 'GET /posts/{postId}/comments (docs/product.md C3-C5).';
grant execute on function api.list_comments to anon, authenticated;

-- Returns the thread roots on a post, from p_from to p_until, that are hidden or by somebody hidden from the
-- caller.
--
-- They look deleted: no author, text or asset. A definer function, because the policy of comments hides them.
-- Callers leave out those of threads that are hidden too (app.sees_thread).
create function app.hidden_comment_roots(p_post_id uuid, p_from timestamptz, p_until timestamptz)
returns setof app.comments
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select
    c.id, c.post_id, null::uuid, null::uuid, null::uuid, null::text, null::uuid, null::text, c.reply_count, false,
    c.created_at
  from app.comments as c
  where c.post_id = p_post_id and c.parent_id is null and c.created_at between p_from and p_until and c.reply_count > 0
    and (c.is_hidden or c.author_id in (select h.user_id from app.hidden_users as h));
end
$$;
comment on function app.hidden_comment_roots is
  'Returns the thread roots on a post, as deleted ones, that the caller does not see (docs/product.md C6-C8, S13).';
grant execute on function app.hidden_comment_roots to anon, authenticated;

create function app.comments_json(p_comments app.comments[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  -- To start the query takes longer than all the rest of an empty page.
  if p_comments = '{}' then
    return '[]'::jsonb;
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id,
      'postId', c.post_id,
      'parentCommentId', c.parent_id,
      'author', app.user_lite(author),
      'text', c.body,
      'replyCount', c.reply_count,
      'createdAt', app.iso(c.created_at),
      'isDeleted', c.author_id is null
    ) || app.picture_json(c.asset_id, c.alt_text) order by c.ordinality), '[]')
    from unnest(p_comments) with ordinality as c
    left join app.profiles as author on author.user_id = c.author_id
  );
end
$$;
comment on function app.comments_json is 'Returns comments as JSON in the given order (docs/product.md C3, C6).';
grant execute on function app.comments_json to anon, authenticated;

-- Returns a comment under a post that the caller sees; null for any other, and for a deleted root.
--
-- The policy of comments shows authors their own ones under hidden posts too, for deletion.
create function app.comment_json(p_comment_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return app.comments_json(array(
    select c
    from app.comments as c
    where c.id = p_comment_id and c.author_id is not null
      and exists (select from app.posts as p where p.id = c.post_id)
  )) -> 0;
end
$$;
comment on function app.comment_json is 'Returns a comment that the caller sees (docs/product.md C3).';
grant execute on function app.comment_json to authenticated;

-- Comments on a post; a reply to a reply joins its thread.
--
-- Args: postId, text, assetId, altText, parentCommentId. Returns the comment.
create function api.create_comment(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_parent app.comments;
  v_asset_id uuid := (p_args ->> 'assetId')::uuid;
  v_text text;
  v_alt_text text;
  v_comment app.comments;
begin
  perform app.require_level(2);
  perform app.require_commentable(v_post_id);
  if p_args ->> 'parentCommentId' is not null then
    select * into v_parent
    from app.comments as c
    where c.id = (p_args ->> 'parentCommentId')::uuid and c.post_id = v_post_id and c.author_id is not null
      and (c.parent_id is null or app.may_join_thread(c.parent_id));
    if v_parent.id is null then
      raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
    end if;
  end if;
  if v_asset_id is not null then
    perform app.require_asset(v_asset_id, '{post_image}', '["assetId"]');
  end if;
  v_text := app.text_argument(p_args, 'text');
  v_alt_text := app.alt_text_argument(p_args);
  perform app.check_limit('comments');
  perform app.lock_pair_of(v_post_id, app.user_id());
  insert into app.comments (post_id, author_id, parent_id, reply_to_id, body, asset_id, alt_text)
  -- Checks the post again in the snapshot of the insert and its policy: it may have been hidden since.
  values (
    app.require_commentable(v_post_id), app.user_id(), coalesce(v_parent.parent_id, v_parent.id),
    case when v_parent.parent_id is not null then v_parent.id end, v_text, v_asset_id, v_alt_text
  )
  returning * into v_comment;
  -- Checks the account again: the insert waits for a concurrent account deletion.
  perform app.require_level(2);
  perform app.use_limit('comments');
  return app.comments_json(array[v_comment]) -> 0;
end
$$;
comment on function api.create_comment is 'POST /posts/{postId}/comments (docs/product.md C1, C2, C4).';
grant execute on function api.create_comment to authenticated;

create function app.record_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Staff may restore a comment that a block hides.
  if not new.is_hidden then
    update app.comments as c set reply_count = c.reply_count + 1 where c.id = new.parent_id;
    update app.posts as p
    set comment_count = p.comment_count + 1
    where p.id = new.post_id;
  end if;
  perform app.count_comments(new.author_id, new.post_id);
  perform app.record_activity('commented', new.author_id, new.post_id, new.created_at);
  perform app.emit('post_commented', p_actor_id => new.author_id, p_post_id => new.post_id, p_comment_id => new.id);
  if new.parent_id is not null then
    perform app.emit('comment_replied', p_actor_id => new.author_id, p_post_id => new.post_id, p_comment_id => new.id);
  end if;
  if app.usernames_in(new.body) <> '{}' then
    perform app.emit('user_mentioned', p_actor_id => new.author_id, p_post_id => new.post_id, p_comment_id => new.id);
  end if;
  return null;
end
$$;
comment on function app.record_comment is
  'Trigger: counts a new comment, raises the trending score of its post, adds the post to the feeds of others, and '
  'emits the events.';

create function app.count_comments(p_author_id uuid, p_post_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.count_trending('commented', p_author_id, p_post_id, array(
    select c.created_at from app.comments as c where c.post_id = p_post_id and c.author_id = p_author_id
  ));
end
$$;
comment on function app.count_comments is
  'Counts the comments of a person on a post in its trending score (docs/product.md F16).';

-- Deletes a comment.
--
-- Args: commentId. Returns {}.
create function api.delete_comment(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  perform app.delete_comment_as_caller(app.require_comment((p_args ->> 'commentId')::uuid));
  return '{}'::jsonb;
end
$$;
comment on function api.delete_comment is 'DELETE /comments/{commentId} (docs/product.md C6).';
grant execute on function api.delete_comment to authenticated;

-- Raises FORBIDDEN for any other caller, COMMENT_NOT_FOUND for a comment that is gone.
create function app.delete_comment_as_caller(p_comment_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_is_theirs boolean := (
    select coalesce(app.user_id() in (c.author_id, p.author_id), false)
    from app.comments as c
    join app.posts as p on p.id = c.post_id
    where c.id = p_comment_id
  );
begin
  if not v_is_theirs then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if not app.delete_comment(p_comment_id) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
end
$$;
comment on function app.delete_comment_as_caller is 'Deletes a comment for its author or the author of its post.';
grant execute on function app.delete_comment_as_caller to authenticated;

-- The root of a thread stays, without text, asset and author, until its last reply goes.
--
-- Returns false if it was gone.
create function app.delete_comment(p_comment_id uuid) returns boolean
language plpgsql set search_path = '' as $$
declare
  v_comment app.comments;
begin
  -- Post before root: the lock on the post waits for concurrent replies, which then count.
  perform app.lock_actor(c.author_id) from app.comments as c where c.id = p_comment_id;
  perform from app.posts as p
  where p.id = (select c.post_id from app.comments as c where c.id = p_comment_id)
  for no key update;
  perform from app.comments as root
  where root.id = (select c.parent_id from app.comments as c where c.id = p_comment_id)
  for update;
  select * into v_comment from app.comments as c where c.id = p_comment_id and c.author_id is not null for update;
  if v_comment.id is null then
    return false;
  end if;
  if exists (select from app.comments as reply where reply.parent_id = v_comment.id) then
    update app.comments as c
    set author_id = null, body = null, asset_id = null, alt_text = null, is_hidden = false
    where c.id = v_comment.id;
  else
    delete from app.comments as c where c.id = v_comment.id;
    update app.comments as root
    set reply_count = root.reply_count - 1
    where root.id = v_comment.parent_id and not v_comment.is_hidden;
    delete from app.comments as root
    where root.id = v_comment.parent_id and root.author_id is null
      and not exists (select from app.comments as reply where reply.parent_id = root.id);
  end if;
  update app.posts as p
  set comment_count = p.comment_count - 1
  where p.id = v_comment.post_id and not v_comment.is_hidden;
  delete from app.events as e where e.comment_id = v_comment.id;
  perform app.end_activity(
    'commented', v_comment.author_id, v_comment.post_id,
    (
      select max(c.created_at)
      from app.comments as c
      where c.post_id = v_comment.post_id and c.author_id = v_comment.author_id
    )
  );
  perform app.count_comments(v_comment.author_id, v_comment.post_id);
  return true;
end
$$;
comment on function app.delete_comment is 'Deletes a comment with its events and activity.';

-- Raises COMMENT_NOT_FOUND for any other, and for a deleted root.
create function app.require_comment(p_comment_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from app.comments as c where c.id = p_comment_id and c.author_id is not null) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
  return p_comment_id;
end
$$;
comment on function app.require_comment is 'Returns the id of a comment that the caller may see.';
grant execute on function app.require_comment to authenticated;

-- Raises POST_NOT_FOUND, or FORBIDDEN for a private post.
create function app.require_commentable(p_post_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if not (app.require_post(p_post_id)).is_public then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  return p_post_id;
end
$$;
comment on function app.require_commentable is 'Returns the id of a public post that the caller may see.';
grant execute on function app.require_commentable to anon, authenticated;

-- Returns whether the caller may see the replies to a comment: its author and the caller are not a blocked
-- pair.
--
-- The replies to a hidden comment, which is a deleted one for everybody, and to a user hidden from everybody
-- stay visible, and so does a thread in which the caller has written. The policy of comments needs a
-- function, because it cannot query its own table.
create function app.sees_thread(p_root_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return app.may_join_thread(p_root_id)
    or exists (select from app.comments as own where own.parent_id = p_root_id and own.author_id = app.user_id());
end
$$;
comment on function app.sees_thread is
  'Returns whether the caller may see the replies to a comment (docs/product.md P19, C7, C8).';
grant execute on function app.sees_thread to anon, authenticated;

-- Returns whether the caller may write into a thread: as app.sees_thread, but own words do not open it.
create function app.may_join_thread(p_root_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not exists (
    select
    from app.comments as root
    join app.blocked_users as b on b.user_id = root.author_id
    where root.id = p_root_id and not root.is_hidden
  );
end
$$;
comment on function app.may_join_thread is
  'Returns whether the caller may reply in a thread (docs/product.md P18, C8).';
grant execute on function app.may_join_thread to authenticated;

create trigger comments_record_after_insert after insert on app.comments
for each row execute function app.record_comment();
