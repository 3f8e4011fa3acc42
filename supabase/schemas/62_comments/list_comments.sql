create function api.list_comments(jsonb)
returns jsonb
language plpgsql
stable
security invoker
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
    'items', app.listed_comments(v_page[:v_limit]),
    'nextCursor', app.next_cursor(array(select (c.created_at, c.id)::app.list_entry from unnest(v_page) as c), v_limit)
  );
end
$$;
comment on function api.list_comments(jsonb) is 'GET /posts/{postId}/comments (spec.md E, contract.md 7). Takes postId, cursor, limit and, for a thread, parentCommentId; answers items, oldest first, and nextCursor. Raises POST_NOT_FOUND; FORBIDDEN for a private post; COMMENT_NOT_FOUND for what is no root; VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_comments(jsonb) from public;
grant execute on function api.list_comments(jsonb) to anon, authenticated;
