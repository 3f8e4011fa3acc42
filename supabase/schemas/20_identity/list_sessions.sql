create function api.list_sessions(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform app.require_level(1);
  return jsonb_build_object('items', to_jsonb(array(select app.own_sessions())), 'nextCursor', null);
end
$$;
comment on function api.list_sessions(jsonb) is 'GET /users/me/sessions (docs/decisions/015-own-data.md). Takes nothing; answers items, last used first, all on one page, and nextCursor, null. Raises UNAUTHORIZED.';

revoke all on function api.list_sessions(jsonb) from public;
grant execute on function api.list_sessions(jsonb) to authenticated;
