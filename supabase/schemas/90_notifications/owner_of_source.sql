create function app.owner_of_source(p_event app.events, p_after uuid, p_limit integer)
returns setof uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select source.author_id
  from app.posts as p
  join app.posts as source on source.id = p.source_post_id
  where p.id = p_event.post_id and source.author_id > p_after
    and (
      p_event.hub_id is null
      or exists (select from app.memberships as m where m.hub_id = p_event.hub_id and m.user_id = source.author_id)
    );
end
$$;
comment on function app.owner_of_source(app.events, uuid, integer) is 'Whose original a repost is of: told once of one that is public; of one for Hubs alone in each of them of which they are a member.';

revoke all on function app.owner_of_source(app.events, uuid, integer) from public;
