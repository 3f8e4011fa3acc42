create function api.update_hub_settings(jsonb)
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
  perform app.hold_member(v_hub_id);
  perform app.require_arguments(p_args, 'contentMuted');
  if app.argument(p_args, 'contentMuted', 'boolean')::boolean then
    insert into app.hub_mutes (hub_id, user_id) values (v_hub_id, app.user_id()) on conflict do nothing;
  else
    delete from app.hub_mutes as m where m.hub_id = v_hub_id and m.user_id = app.user_id();
  end if;
  return jsonb_build_object('contentMuted', p_args -> 'contentMuted');
end
$$;
comment on function api.update_hub_settings(jsonb) is 'PATCH /hubs/{hubId}/notification-settings (spec.md G). Takes hubId and contentMuted; answers it. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND.';

revoke all on function api.update_hub_settings(jsonb) from public;
grant execute on function api.update_hub_settings(jsonb) to authenticated;
