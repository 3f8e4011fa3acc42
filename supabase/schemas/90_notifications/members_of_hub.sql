create function app.members_of_hub(p_event app.events, p_after uuid, p_limit integer)
returns setof uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_source_author_id uuid := (
    select source.author_id
    from app.posts as p
    join app.posts as source on source.id = p.source_post_id
    where p.id = p_event.post_id
  );
begin
  return query
  select m.user_id
  from app.memberships as m
  where m.hub_id = p_event.hub_id and m.user_id > p_after and m.joined_at <= p_event.occurred_at
    and m.user_id is distinct from v_source_author_id
  order by m.user_id
  limit p_limit;
end
$$;
comment on function app.members_of_hub(app.events, uuid, integer) is 'The members of a Hub who were that when the event happened: told of posts in it and of new members; but whoever wrote the original of a repost is told of it as such.';

revoke all on function app.members_of_hub(app.events, uuid, integer) from public;
