create function app.staff_of_hub(p_event app.events, p_after uuid, p_limit integer)
returns setof uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select m.user_id
  from app.memberships as m
  where m.hub_id = p_event.hub_id and m.role <> 'member' and m.user_id > p_after
  order by m.user_id
  limit p_limit;
end
$$;
comment on function app.staff_of_hub(app.events, uuid, integer) is 'The admins and managers of a Hub: who is told that somebody asks to join.';

revoke all on function app.staff_of_hub(app.events, uuid, integer) from public;
