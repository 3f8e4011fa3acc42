create function app.own_sent_invitations()
returns setof jsonb
language sql
stable
security definer
set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', i.id, 'hubId', i.hub_id, 'phoneNumber', i.phone, 'state', app.state_of(i.state, i.expires_at),
    'createdAt', app.iso(i.created_at), 'expiresAt', app.iso(i.expires_at)
  )
  from app.hub_invitations as i
  where i.inviter_id = app.user_id()
  order by i.created_at desc, i.id desc
  limit 100000;
end;
comment on function app.own_sent_invitations() is 'Of the export: whom the caller invited, into Hubs that they have left as well, which no policy shows.';

revoke all on function app.own_sent_invitations() from public;
grant execute on function app.own_sent_invitations() to authenticated;
