create function app.user_id()
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;
end
$$;
comment on function app.user_id() is 'The caller''s id out of the verified claims, null for a guest. In a policy always as (select app.user_id()): once a statement, not once a row.';

revoke all on function app.user_id() from public;
grant execute on function app.user_id() to anon, authenticated;
