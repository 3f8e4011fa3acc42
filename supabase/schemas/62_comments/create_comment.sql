create function api.create_comment(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
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
  return app.listed_comments(array[v_comment]) -> 0;
end
$$;
comment on function api.create_comment(jsonb) is 'POST /posts/{postId}/comments (spec.md E, contract.md 7). Takes postId, text, assetId, parentCommentId; answers the comment; a reply to a reply joins its thread. Raises UNAUTHORIZED; FORBIDDEN below level 2 and on a private post; POST_NOT_FOUND; COMMENT_NOT_FOUND for a parent that is not there; VALIDATION_FAILED for an asset that is no post image of the caller''s.';

revoke all on function api.create_comment(jsonb) from public;
grant execute on function api.create_comment(jsonb) to authenticated;
