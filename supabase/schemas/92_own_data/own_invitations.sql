create function app.own_invitations()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', i.invitation_id, 'hubId', i.hub_id, 'state', i.state, 'createdAt', app.iso(i.invited_at)
  )
  from app.my_invitations as i
  order by i.invited_at desc, i.invitation_id desc
  limit 100000;
end;
comment on function app.own_invitations() is 'Of the export: the invitations of the caller''s own phone, as their Hubs list shows them.';

revoke all on function app.own_invitations() from public;
grant execute on function app.own_invitations() to authenticated;
