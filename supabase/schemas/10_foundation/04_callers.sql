-- The id of the caller, whom the gateway has looked up; the Data API sets the claims alone. The planner
-- inlines it. Policies call it as (select app.user_id()), once per statement instead of once per row.
create function app.user_id() returns uuid language sql stable
return coalesce(
  nullif(current_setting('opine.user_id', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
)::uuid;
comment on function app.user_id is 'Returns the caller''s id; null for a guest.';
grant execute on function app.user_id to anon, authenticated;

create function app.session_id() returns uuid language sql stable
return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid;
comment on function app.session_id is 'Returns the session of the caller''s access token; null for a guest.';
grant execute on function app.session_id to authenticated;
