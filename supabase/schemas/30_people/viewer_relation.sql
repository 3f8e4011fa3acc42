create function app.viewer_relation(p_user_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_viewer_id uuid := app.user_id();
  v_is_muted boolean;
begin
  if v_viewer_id is null then
    return null;
  end if;
  select f.is_muted into v_is_muted
  from app.follows as f
  where f.follower_id = v_viewer_id and f.followee_id = p_user_id;
  return jsonb_build_object(
    'follows', found,
    'followedBy', exists (select from app.follows as f where f.follower_id = p_user_id and f.followee_id = v_viewer_id),
    'blocking', exists (select from app.blocks as b where b.blocker_id = v_viewer_id and b.blocked_id = p_user_id),
    'publicPostsMuted', coalesce(v_is_muted, false)
  );
end
$$;
comment on function app.viewer_relation(uuid) is 'What is between the caller and somebody (contract.md 6, "viewer"); null for a guest.';

revoke all on function app.viewer_relation(uuid) from public;
grant execute on function app.viewer_relation(uuid) to anon, authenticated;
