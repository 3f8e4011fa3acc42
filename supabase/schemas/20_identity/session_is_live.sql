create function app.session_is_live(p_claims jsonb)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return coalesce(
    to_timestamp((p_claims ->> 'exp')::bigint) > app.now()
    -- By its id alone: with the user beside it Postgres may take the index of a user's sessions instead.
    and (p_claims ->> 'sub')::uuid = (
      select s.user_id from app.sessions as s where s.id = (p_claims ->> 'session_id')::uuid
    ),
    false
  );
end
$$;
comment on function app.session_is_live(jsonb) is 'Whether an access token with these verified claims still opens anything: not expired, and its session not ended. One look-up by primary key.';

revoke all on function app.session_is_live(jsonb) from public;
grant execute on function app.session_is_live(jsonb) to authenticated;
