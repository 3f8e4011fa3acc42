create function api.share_to_feed(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_share app.feed_shares;
begin
  perform app.require_level(2);
  insert into app.feed_shares as s (user_id, post_id)
  values (app.user_id(), (app.require_post((p_args ->> 'postId')::uuid)).id)
  on conflict (user_id, post_id) do update set id = excluded.id
  returning * into v_share;
  return jsonb_build_object('shareId', v_share.id, 'postId', v_share.post_id, 'sharedAt', app.iso(v_share.shared_at));
end
$$;
comment on function api.share_to_feed(jsonb) is 'POST /posts/{postId}/share/feed (spec.md F). Takes postId; answers shareId, postId, sharedAt. Again it is another share, and the last one counts. Raises UNAUTHORIZED, FORBIDDEN below level 2, POST_NOT_FOUND.';

revoke all on function api.share_to_feed(jsonb) from public;
grant execute on function api.share_to_feed(jsonb) to authenticated;
