create function app.listed_invitations(p_hub_id uuid, p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', i.id,
      'phoneNumber', i.phone,
      'state', app.state_of(i.state, i.expires_at),
      'inviteUrl', null,
      'shareText', null,
      'expiresAt', app.iso(i.expires_at),
      'invitedBy', jsonb_build_object(
        'userId', coalesce(inviter.user_id::text, ''), 'displayName', coalesce(inviter.display_name, '')
      )
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.hub_invitations as i on i.id = entry.id
    left join lateral app.hub_people(p_hub_id, array[i.inviter_id]) as inviter on true
  );
end
$$;
comment on function app.listed_invitations(uuid, app.list_entry[]) is 'Invitations to a Hub of the caller''s, in this order (contract.md 8). Their tokens are not kept, so that they have no address any more. An inviter hidden from everybody is anonymous.';

revoke all on function app.listed_invitations(uuid, app.list_entry[]) from public;
grant execute on function app.listed_invitations(uuid, app.list_entry[]) to authenticated;
