create function app.session_id()
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid;
end
$$;
comment on function app.session_id() is 'The session that the caller''s access token is of; null for a guest.';

revoke all on function app.session_id() from public;
grant execute on function app.session_id() to authenticated;
