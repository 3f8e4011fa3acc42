create function api.delete_post(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_post app.posts;
begin
  perform app.require_level(1);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if v_post.author_id <> app.user_id() then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  -- Somebody may have been quicker.
  if not app.erase_post(v_post.id) then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.delete_post(jsonb) is 'DELETE /posts/{postId} (spec.md E). Takes postId; answers {}. The post goes with its article, receipts and pools. Raises UNAUTHORIZED, POST_NOT_FOUND, and FORBIDDEN for anyone but its author.';

revoke all on function api.delete_post(jsonb) from public;
grant execute on function api.delete_post(jsonb) to authenticated;
