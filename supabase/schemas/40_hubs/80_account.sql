create function app.erase_hubs(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.suspended_memberships where user_id = p_user_id;
  delete from app.hub_invitations where inviter_id = p_user_id;
  delete from app.invite_links where creator_id = p_user_id;
  delete from app.join_requests where user_id = p_user_id;
  delete from app.hub_mutes where user_id = p_user_id;
end;
comment on function app.erase_hubs is
  'Deletes invitations, links, join requests and mutes of an ended account (docs/product.md I17).';

create function app.erase_hub_photos(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  update app.hubs as h
  set photo_asset_id = null
  from app.assets as a
  where a.owner_id = p_user_id and h.photo_asset_id = a.id;
end;
comment on function app.erase_hub_photos is 'Takes the pictures of an ended account off its Hubs.';

-- Returns false.
create function app.delete_closed_hub(p_hub_id uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  delete from app.hubs as h where h.id = p_hub_id;
  return false;
end
$$;
comment on function app.delete_closed_hub is 'Deletes a closed Hub of which nothing is left.';

create function app.export_invitations() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', i.invitation_id, 'hubId', i.hub_id, 'state', i.state, 'createdAt', app.iso(i.invited_at)
  )
  from app.my_invitations as i
  order by i.invited_at desc, i.invitation_id desc
  limit 100000;
end;
comment on function app.export_invitations is
  'Returns the section receivedInvitations of the export: invitations of the caller''s phone, as their list of Hubs '
  'shows them.';
grant execute on function app.export_invitations to authenticated;

create function app.export_join_requests() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', j.id, 'hubId', j.hub_id, 'source', j.source, 'state', j.state, 'createdAt', app.iso(j.created_at)
  )
  from app.join_requests as j
  where j.user_id = app.user_id()
  order by j.created_at desc, j.id desc
  limit 100000;
end;
comment on function app.export_join_requests is 'Returns the section joinRequests of the export.';
grant execute on function app.export_join_requests to authenticated;

create function app.export_memberships() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'hubId', m.hub_id, 'hubName', h.name, 'role', m.role,
    'contentMuted', exists (
      select from app.hub_mutes as mute where mute.hub_id = m.hub_id and mute.user_id = m.user_id
    ),
    'joinedAt', app.iso(m.joined_at), 'lastSeenAt', app.iso(m.seen_at)
  )
  from app.memberships as m
  join app.hubs as h on h.id = m.hub_id
  where m.user_id = app.user_id()
  order by m.joined_at desc, m.hub_id desc
  limit 100000;
end;
comment on function app.export_memberships is
  'Returns the section hubMemberships of the export: the Hubs of the caller and their role in each.';
grant execute on function app.export_memberships to authenticated;

create function app.export_muted_hubs() returns setof jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object('hubId', m.hub_id)
  from app.hub_mutes as m
  where m.user_id = app.user_id()
  order by m.hub_id desc
  limit 100000;
end;
comment on function app.export_muted_hubs is
  'Returns the section mutedHubs of the export, with Hubs that the caller left.';
grant execute on function app.export_muted_hubs to authenticated;

-- A definer function, because it includes Hubs that the caller left, and no policy shows these.
create function app.export_sent_invitations() returns setof jsonb
language sql stable security definer set search_path = ''
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
comment on function app.export_sent_invitations is 'Returns the section sentInvitations of the export.';
grant execute on function app.export_sent_invitations to authenticated;
