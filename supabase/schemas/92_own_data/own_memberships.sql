create function app.own_memberships()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'hubId', m.hub_id, 'hubName', h.name, 'role', m.role,
    'contentMuted', exists (select from app.hub_mutes as mute where mute.hub_id = m.hub_id and mute.user_id = m.user_id),
    'joinedAt', app.iso(m.joined_at), 'lastSeenAt', app.iso(m.seen_at)
  )
  from app.memberships as m
  join app.hubs as h on h.id = m.hub_id
  where m.user_id = app.user_id()
  order by m.joined_at desc, m.hub_id desc
  limit 100000;
end;
comment on function app.own_memberships() is 'Of the export: the Hubs that the caller is in, and as what.';

revoke all on function app.own_memberships() from public;
grant execute on function app.own_memberships() to authenticated;
