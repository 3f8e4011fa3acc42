create function app.require_calm_session(p_session_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  -- A session needs some four an hour; a token stays for 60 days, and no client shall make millions of them.
  v_limit integer := 300;
  v_issued_at timestamptz := (
    select t.expires_at - app.refresh_token_lifetime()
    from app.refresh_tokens as t
    where t.session_id = p_session_id
    order by t.expires_at desc
    offset v_limit - 1
    limit 1
  );
begin
  if v_issued_at + interval '1 hour' > app.now() then
    raise exception using errcode = 'PT429', message = 'RATE_LIMITED',
      detail = app.retry_after(v_issued_at + interval '1 hour')::text;
  end if;
end
$$;
comment on function app.require_calm_session(uuid) is 'Lets a session have its next refresh token. Raises RATE_LIMITED where it has had 300 within the hour.';

revoke all on function app.require_calm_session(uuid) from public;
