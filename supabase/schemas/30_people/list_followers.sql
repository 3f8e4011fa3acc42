create function api.list_followers(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  return app.people_page(p_args, 'followers');
end
$$;
comment on function api.list_followers(jsonb) is 'GET /users/{userId}/followers (spec.md D): those who follow somebody. Takes userId, q, cursor, limit; answers items and nextCursor (see app.people_page). Raises UNAUTHORIZED, USER_NOT_FOUND, VALIDATION_FAILED.';

revoke all on function api.list_followers(jsonb) from public;
grant execute on function api.list_followers(jsonb) to authenticated;
