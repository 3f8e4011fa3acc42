create function api.change_hub_link(jsonb)
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
  perform app.hold_member(v_hub_id, 'admin');
  perform app.require_arguments(p_args, 'customLink');
  update app.hubs as h set custom_link = app.text_argument(p_args, 'customLink') where h.id = v_hub_id;
  return app.hub_seen(v_hub_id);
end
$$;
comment on function api.change_hub_link(jsonb) is 'PATCH /hubs/{hubId}/link (spec.md G). Takes hubId and customLink; answers the Hub. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for outsiders, HUB_NOT_FOUND, FORBIDDEN for who is no admin, CUSTOM_LINK_TAKEN by hubs_custom_link_key.';

revoke all on function api.change_hub_link(jsonb) from public;
grant execute on function api.change_hub_link(jsonb) to authenticated;
