create function app.session_is_live(p_claims jsonb)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return coalesce(to_timestamp((p_claims ->> 'exp')::bigint) > app.now(), false)
    and exists (
      select
      from app.sessions as s
      where s.id = (p_claims ->> 'session_id')::uuid
        and s.user_id = (p_claims ->> 'sub')::uuid
    );
end
$$;
comment on function app.session_is_live(jsonb) is 'Whether an access token with these verified claims still opens anything: not expired, and its session not ended. One look-up by primary key.';

revoke all on function app.session_is_live(jsonb) from public;
grant execute on function app.session_is_live(jsonb) to authenticated;
