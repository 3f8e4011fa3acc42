create function api.list_comments(jsonb)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_parent_id uuid := (p_args ->> 'parentCommentId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_from app.list_entry := app.first_entry(p_args ->> 'cursor');
  v_page app.comments[];
  v_until timestamptz;
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
    v_page := array(
      select c.comment
      from (
        select seen as comment, seen.created_at, seen.id
        from unnest(v_page) as seen
        union all
        select hidden, hidden.created_at, hidden.id
        from app.hidden_comment_roots(v_post_id, v_from.at, v_until) as hidden
        where (hidden.created_at, hidden.id) > (v_from.at, v_from.id) and app.sees_thread(hidden.id)
          and exists (select from app.comments as reply where reply.parent_id = hidden.id)
      ) as c
      order by c.created_at, c.id
      limit v_limit + 1
    );
  else
    -- A thread is there where its root or a reply is seen.
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
    'nextCursor', app.next_cursor(array(select (c.created_at, c.id)::app.list_entry from unnest(v_page) as c), v_limit)
  );
end
$$;
comment on function api.list_comments is 'GET /posts/{postId}/comments (docs/product.md C3-C5). Takes postId, cursor, limit and, for a thread, parentCommentId; answers items, oldest first, and nextCursor. Raises POST_NOT_FOUND; FORBIDDEN for a private post; COMMENT_NOT_FOUND for what is no root; VALIDATION_FAILED for a foreign cursor.';
grant execute on function api.list_comments to anon, authenticated;

create function app.hidden_comment_roots(p_post_id uuid, p_from timestamptz, p_until timestamptz)
returns setof app.comments
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select c.id, c.post_id, null::uuid, null::uuid, null::text, null::uuid, c.reply_count, c.created_at
  from app.comments as c
  where c.post_id = p_post_id and c.parent_id is null and c.created_at between p_from and p_until and c.reply_count > 0
    and c.author_id in (select h.user_id from app.users_hidden_from_all as h);
end
$$;
comment on function app.hidden_comment_roots is 'Comments of a time, under a post, that people hidden from everybody began threads with, as if they were deleted: without author, text and asset.';
grant execute on function app.hidden_comment_roots to anon, authenticated;

create function app.comments_json(p_comments app.comments[])
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id,
      'postId', c.post_id,
      'parentCommentId', c.parent_id,
      'author', app.user_lite(author),
      'text', c.body,
      'assetId', c.asset_id,
      'replyCount', c.reply_count,
      'createdAt', app.iso(c.created_at),
      'isDeleted', c.author_id is null
    ) order by c.ordinality), '[]')
    from unnest(p_comments) with ordinality as c
    left join app.profiles as author on author.user_id = c.author_id
  );
end
$$;
comment on function app.comments_json is 'Comments, in the order given (docs/product.md C3, C6).';
grant execute on function app.comments_json to anon, authenticated;

create function api.create_comment(jsonb)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_post_id uuid := (p_args ->> 'postId')::uuid;
  v_parent app.comments;
  v_asset_id uuid := (p_args ->> 'assetId')::uuid;
  v_comment app.comments;
begin
  perform app.require_level(2);
  perform app.require_commentable(v_post_id);
  if p_args ->> 'parentCommentId' is not null then
    select * into v_parent
    from app.comments as c
    where c.id = (p_args ->> 'parentCommentId')::uuid and c.post_id = v_post_id and c.author_id is not null
      and (c.parent_id is null or app.sees_thread(c.parent_id));
    if v_parent.id is null then
      raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
    end if;
  end if;
  if v_asset_id is not null then
    perform app.require_asset(v_asset_id, '{post_image}', '["assetId"]');
  end if;
  insert into app.comments (post_id, author_id, parent_id, body, asset_id)
  -- Asked again as of this statement, which its policy is asked with: the post may have been hidden meanwhile.
  values (app.require_commentable(v_post_id), app.user_id(), coalesce(v_parent.parent_id, v_parent.id), app.text_argument(p_args, 'text'), v_asset_id)
  returning * into v_comment;
  -- Again: an account that was just ending was waited for.
  perform app.require_level(2);
  return app.comments_json(array[v_comment]) -> 0;
end
$$;
comment on function api.create_comment is 'POST /posts/{postId}/comments (docs/product.md C1, C2, C4). Takes postId, text, assetId, parentCommentId; answers the comment; a reply to a reply joins its thread. Raises UNAUTHORIZED; FORBIDDEN below level 2 and on a private post; POST_NOT_FOUND; COMMENT_NOT_FOUND for a parent that is not there; VALIDATION_FAILED for an asset that is no post image of the caller''s.';
grant execute on function api.create_comment to authenticated;

create function app.record_comment()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update app.comments as c set reply_count = c.reply_count + 1 where c.id = new.parent_id;
  update app.posts as p
  set comment_count = p.comment_count + 1
  where p.id = new.post_id;
  perform app.raise_trending_score(new.post_id, 2);
  perform app.record_activity('commented', new.author_id, new.post_id, new.created_at);
  perform app.emit('post_commented', p_actor_id => new.author_id, p_post_id => new.post_id, p_comment_id => new.id);
  return null;
end
$$;
comment on function app.record_comment is 'After somebody has commented: counts it, brings the post into the feeds of others, and tells of it.';

create function api.delete_comment(jsonb)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  perform app.remove_comment(app.require_comment((p_args ->> 'commentId')::uuid));
  return '{}'::jsonb;
end
$$;
comment on function api.delete_comment is 'DELETE /comments/{commentId} (docs/product.md C6). Takes commentId; answers {}. Raises UNAUTHORIZED; COMMENT_NOT_FOUND; FORBIDDEN for anyone but its author and the author of the post.';
grant execute on function api.delete_comment to authenticated;

create function app.remove_comment(p_comment_id uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
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
  if not app.erase_comment(p_comment_id) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
end
$$;
comment on function app.remove_comment is 'The caller deletes a comment that is theirs or under a post of theirs. Raises FORBIDDEN for any other; COMMENT_NOT_FOUND where it is gone already.';
grant execute on function app.remove_comment to authenticated;

create function app.erase_comment(p_comment_id uuid)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_comment app.comments;
begin
  -- The root after the post, so that replies under way are waited for, and counted.
  perform app.lock_memberships(c.author_id) from app.comments as c where c.id = p_comment_id;
  perform from app.posts as p where p.id = (select c.post_id from app.comments as c where c.id = p_comment_id) for no key update;
  perform from app.comments as root
  where root.id = (select c.parent_id from app.comments as c where c.id = p_comment_id)
  for update;
  select * into v_comment from app.comments as c where c.id = p_comment_id and c.author_id is not null for update;
  if v_comment.id is null then
    return false;
  end if;
  if v_comment.reply_count > 0 then
    update app.comments as c set author_id = null, body = null, asset_id = null where c.id = v_comment.id;
  else
    delete from app.comments as c where c.id = v_comment.id;
    update app.comments as root set reply_count = root.reply_count - 1 where root.id = v_comment.parent_id;
    delete from app.comments as root where root.id = v_comment.parent_id and root.author_id is null and root.reply_count = 0;
  end if;
  update app.posts as p set comment_count = p.comment_count - 1 where p.id = v_comment.post_id;
  delete from app.events as e where e.comment_id = v_comment.id;
  perform app.delete_activity(
    'commented', v_comment.author_id, v_comment.post_id,
    (select max(c.created_at) from app.comments as c where c.post_id = v_comment.post_id and c.author_id = v_comment.author_id)
  );
  return true;
end
$$;
comment on function app.erase_comment is 'Deletes a comment, and answers whether it was there: the root of a thread stays, without text and author, until its last reply goes.';

create function app.require_comment(p_comment_id uuid)
returns uuid
language plpgsql
stable
set search_path = ''
as $$
begin
  if not exists (select from app.comments as c where c.id = p_comment_id and c.author_id is not null) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
  return p_comment_id;
end
$$;
comment on function app.require_comment is 'Lets a comment pass, and answers it, that the caller may see and that is not deleted. Raises COMMENT_NOT_FOUND.';
grant execute on function app.require_comment to authenticated;

create function app.require_commentable(p_post_id uuid)
returns uuid
language plpgsql
stable
set search_path = ''
as $$
begin
  if not (app.require_post(p_post_id)).is_public then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  return p_post_id;
end
$$;
comment on function app.require_commentable is 'Lets a post pass, and answers it, that the caller may see and that can have comments. Raises POST_NOT_FOUND; FORBIDDEN for a private one.';
grant execute on function app.require_commentable to anon, authenticated;

create function app.sees_thread(p_root_id uuid)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return not exists (
    select from app.comments as root join app.blocked_users as b on b.user_id = root.author_id where root.id = p_root_id
  );
end
$$;
comment on function app.sees_thread is 'Whether the caller may see replies to a comment: its author and the caller have not blocked each other. Replies to somebody hidden from everybody stay. For the policy of comments, which cannot ask its own table.';
grant execute on function app.sees_thread to anon, authenticated;

create trigger comments_record_after_insert after insert on app.comments
for each row execute function app.record_comment();
