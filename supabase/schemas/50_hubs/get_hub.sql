create function api.get_hub(jsonb)
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
  perform app.require_level(1);
  if exists (select from app.my_hubs as mine where mine.hub_id = v_hub_id) then
    perform app.require_member(v_hub_id);
  end if;
  return app.hub_seen(v_hub_id);
end
$$;
comment on function api.get_hub(jsonb) is 'GET /hubs/{hubId} (spec.md G). Takes hubId; answers the Hub to its members, its preview to everybody else. Raises UNAUTHORIZED, HUB_NOT_FOUND.';

revoke all on function api.get_hub(jsonb) from public;
grant execute on function api.get_hub(jsonb) to authenticated;
