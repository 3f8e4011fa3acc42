create function api.get_profile_feed(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_limit integer := app.page_size(p_args, 20, 50);
  v_place app.feed_place := app.decode_place(p_args ->> 'cursor', v_user_id::text);
begin
  perform app.require_person(v_user_id);
  return app.feed_page(app.profile_entries(v_user_id, v_place, v_limit + 1), null, v_place, v_limit);
end
$$;
comment on function api.get_profile_feed(jsonb) is 'GET /users/{userId}/feed (spec.md "Profile feed rules"). Takes userId, cursor, limit; answers items (cards) and nextCursor. Raises USER_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.get_profile_feed(jsonb) from public;
grant execute on function api.get_profile_feed(jsonb) to anon, authenticated;
