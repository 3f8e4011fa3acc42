create function app.followers_of_actor(p_event app.events, p_after uuid, p_limit integer)
returns setof uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select f.follower_id
  from app.follows as f
  where f.followee_id = p_event.actor_id and not f.is_muted and f.follower_id > p_after and f.created_at <= p_event.occurred_at
  order by f.follower_id
  limit p_limit;
end
$$;
comment on function app.followers_of_actor(app.events, uuid, integer) is 'Who follows whom an event is of and wants alerts.';

revoke all on function app.followers_of_actor(app.events, uuid, integer) from public;
