create function app.invited_by_phone(p_event app.events, p_after uuid, p_limit integer)
returns setof uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select u.id
  from app.hub_invitations as i
  join app.users as u on u.phone = i.phone
  where i.id = p_event.invitation_id and u.id > p_after
    and not exists (select from app.memberships as m where m.hub_id = i.hub_id and m.user_id = u.id);
end
$$;
comment on function app.invited_by_phone(app.events, uuid, integer) is 'Whose phone an invitation names, if anybody has it and is not in the Hub already.';

revoke all on function app.invited_by_phone(app.events, uuid, integer) from public;
