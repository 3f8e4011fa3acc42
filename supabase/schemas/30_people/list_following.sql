create function api.list_following(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
begin
  return app.people_page(p_args, 'following');
end
$$;
comment on function api.list_following(jsonb) is 'GET /users/{userId}/following (spec.md D): those whom somebody follows. Takes userId, q, cursor, limit; answers items and nextCursor (see app.people_page). Raises UNAUTHORIZED, USER_NOT_FOUND, VALIDATION_FAILED.';

revoke all on function api.list_following(jsonb) from public;
grant execute on function api.list_following(jsonb) to authenticated;
