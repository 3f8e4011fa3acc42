create function app.viewer_follows(p_user_id uuid)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return exists (select from app.follows as f where f.follower_id = app.user_id() and f.followee_id = p_user_id);
end
$$;
comment on function app.viewer_follows(uuid) is 'Whether the caller, who has a session, follows somebody.';

revoke all on function app.viewer_follows(uuid) from public;
grant execute on function app.viewer_follows(uuid) to authenticated;
