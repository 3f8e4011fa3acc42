create function app.owner_of_post(p_event app.events, p_after uuid, p_limit integer)
returns setof uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select p.author_id from app.posts as p where p.id = p_event.post_id and p.author_id > p_after;
end
$$;
comment on function app.owner_of_post(app.events, uuid, integer) is 'Whose post an event is about: who is told of comments and of shares to feeds.';

revoke all on function app.owner_of_post(app.events, uuid, integer) from public;
