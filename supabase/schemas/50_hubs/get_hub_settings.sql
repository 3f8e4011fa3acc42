create function api.get_hub_settings(jsonb)
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
  perform app.require_member(v_hub_id);
  return jsonb_build_object('contentMuted', exists (
    select from app.hub_mutes as m where m.hub_id = v_hub_id and m.user_id = app.user_id()
  ));
end
$$;
comment on function api.get_hub_settings(jsonb) is 'GET /hubs/{hubId}/notification-settings (spec.md G). Takes hubId; answers contentMuted. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND.';

revoke all on function api.get_hub_settings(jsonb) from public;
grant execute on function api.get_hub_settings(jsonb) to authenticated;
