create function app.user_id()
returns uuid
language plpgsql
stable
set search_path = ''
as $$
begin
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;
end
$$;
comment on function app.user_id is 'The caller''s id out of the verified claims, null for a guest. In a policy always as (select app.user_id()): once a statement, not once a row.';
grant execute on function app.user_id to anon, authenticated;

create function app.session_id()
returns uuid
language plpgsql
stable
set search_path = ''
as $$
begin
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid;
end
$$;
comment on function app.session_id is 'The session that the caller''s access token is of; null for a guest.';
grant execute on function app.session_id to authenticated;
