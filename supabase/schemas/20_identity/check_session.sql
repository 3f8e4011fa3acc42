create function app.check_session()
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if current_user = 'authenticated' then
    if not app.session_is_live(nullif(current_setting('request.jwt.claims', true), '')::jsonb) then
      raise exception using errcode = 'PT401', message = 'UNAUTHORIZED';
    end if;
  end if;
end
$$;
comment on function app.check_session() is 'Refuses a session that has ended: what the Data API, which knows no sessions, is to run before each request (pgrst.db_pre_request). Raises UNAUTHORIZED.';

revoke all on function app.check_session() from public;
grant execute on function app.check_session() to anon, authenticated;
