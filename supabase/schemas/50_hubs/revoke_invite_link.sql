create function api.revoke_invite_link(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_member(v_hub_id, 'manager', 'INVITE_LINK_NOT_FOUND');
  delete from app.invite_links as l where l.id = (p_args ->> 'inviteLinkId')::uuid and l.hub_id = v_hub_id;
  if not found then
    raise exception using errcode = 'PT404', message = 'INVITE_LINK_NOT_FOUND';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.revoke_invite_link(jsonb) is 'DELETE /hubs/{hubId}/invite-links/{inviteLinkId} (spec.md G). Takes hubId, inviteLinkId; answers {}. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for a member who is no more than that, HUB_NOT_FOUND, INVITE_LINK_NOT_FOUND.';

revoke all on function api.revoke_invite_link(jsonb) from public;
grant execute on function api.revoke_invite_link(jsonb) to authenticated;
