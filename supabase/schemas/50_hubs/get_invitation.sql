create function api.get_invitation(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_invitation record := app.invitation_of(decode(p_args ->> 'tokenHash', 'hex'));
begin
  return jsonb_build_object(
    'id', v_invitation.id,
    'state', v_invitation.state,
    'expiresAt', app.iso(v_invitation.expires_at),
    'hub', app.hub_shown(v_invitation.hub_id),
    'invitedBy', jsonb_build_object('displayName', coalesce(v_invitation.inviter_name, ''))
  );
end
$$;
comment on function api.get_invitation(jsonb) is 'GET /hub-invitations/by-token/{token} (spec.md G, contract.md 8). Takes tokenHash (SHA-256, hex); answers id, state, expiresAt, the Hub''s preview and the inviter''s public name. Raises INVITATION_NOT_FOUND.';

revoke all on function api.get_invitation(jsonb) from public;
grant execute on function api.get_invitation(jsonb) to anon, authenticated;
