create function api.get_invite_link(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_link record := app.link_of(decode(p_args ->> 'tokenHash', 'hex'));
  v_hub jsonb := app.hub_shown(v_link.hub_id);
begin
  return jsonb_build_object(
    'hub', v_hub, 'expiresAt', app.iso(v_link.expires_at), 'viewerStatus', v_hub -> 'viewerStatus'
  );
end
$$;
comment on function api.get_invite_link(jsonb) is 'GET /hub-invite-links/{token} (spec.md G, contract.md 8). Takes tokenHash (SHA-256, hex); answers the Hub''s preview, expiresAt and viewerStatus. Raises INVITE_LINK_NOT_FOUND.';

revoke all on function api.get_invite_link(jsonb) from public;
grant execute on function api.get_invite_link(jsonb) to anon, authenticated;
