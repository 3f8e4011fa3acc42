create function app.hub_preview(p_hub app.hubs, p_standing app.hub_standing)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return jsonb_build_object(
    'id', p_hub.id,
    'name', p_hub.name,
    'description', p_hub.description,
    'profilePhotoUrl', app.photo_url(p_hub.photo_asset_id),
    'memberCount', p_hub.member_count,
    'viewerStatus', p_standing.status,
    'viewerRole', p_standing.role
  ) || case p_standing.status
    when 'pending_admin_approval' then jsonb_build_object('joinRequestId', p_standing.join_request_id)
    when 'invited' then jsonb_build_object('invitationId', p_standing.invitation_id)
    else '{}'
  end;
end
$$;
comment on function app.hub_preview(app.hubs, app.hub_standing) is 'What everybody may see of a Hub (contract.md 8), with what the caller is to it and what is open between them.';

revoke all on function app.hub_preview(app.hubs, app.hub_standing) from public;
grant execute on function app.hub_preview(app.hubs, app.hub_standing) to anon, authenticated;
