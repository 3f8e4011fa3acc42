create function api.get_post(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_detail jsonb := app.post_detail((p_args ->> 'postId')::uuid, v_hub_id);
begin
  perform app.require_scope(v_hub_id);
  return v_detail;
end
$$;
comment on function api.get_post(jsonb) is 'GET /posts/{postId} (spec.md E). Takes postId and, for its votes in a Hub, hubId; answers the post''s detail. Raises POST_NOT_FOUND, also for a post hidden from the caller, and FORBIDDEN for a Hub that the caller is no active member of.';

revoke all on function api.get_post(jsonb) from public;
grant execute on function api.get_post(jsonb) to anon, authenticated;
