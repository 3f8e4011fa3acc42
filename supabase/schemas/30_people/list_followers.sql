create function api.list_followers(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_limit integer := app.page_size(p_args, 30, 100);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  perform app.require_person((p_args ->> 'userId')::uuid);
  v_page := array(
    select (f.created_at, f.follower_id)::app.list_entry
    from app.follows as f
    join app.profiles as p on p.user_id = f.follower_id
    where f.followee_id = (p_args ->> 'userId')::uuid
      and (f.created_at, f.follower_id) < (v_from.at, v_from.id)
      and (p_args ->> 'q' is null or app.is_called(p, app.search_key(p_args ->> 'q')))
    order by f.created_at desc, f.follower_id desc
    limit v_limit + 1
  );
  return app.people_page(v_page, v_limit);
end
$$;
comment on function api.list_followers(jsonb) is 'GET /users/{userId}/followers (spec.md D): those who follow somebody, newest first. Takes userId, q, cursor, limit; answers items (UserLite and viewerFollows) and nextCursor. Raises UNAUTHORIZED, USER_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_followers(jsonb) from public;
grant execute on function api.list_followers(jsonb) to authenticated;
