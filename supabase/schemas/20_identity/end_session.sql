create function api.end_session(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  delete from app.sessions as s where s.id = (p_args ->> 'sessionId')::uuid and s.user_id = app.user_id();
  if not found then
    raise exception using errcode = 'PT404', message = 'SESSION_NOT_FOUND';
  end if;
  return '{}'::jsonb;
end
$$;
comment on function api.end_session(jsonb) is 'DELETE /users/me/sessions/{sessionId} (docs/decisions/015-own-data.md). Takes sessionId; answers {}. Its tokens and its device token go with it. Raises UNAUTHORIZED; SESSION_NOT_FOUND, for somebody else''s too.';

revoke all on function api.end_session(jsonb) from public;
grant execute on function api.end_session(jsonb) to authenticated;
