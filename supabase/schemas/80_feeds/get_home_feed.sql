create function api.get_home_feed(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
begin
  if p_args ->> 'hubId' is not null then
    perform app.require_scope((p_args ->> 'hubId')::uuid);
    perform app.require_member((p_args ->> 'hubId')::uuid);
  end if;
  return app.feed(p_args);
end
$$;
comment on function api.get_home_feed(jsonb) is 'GET /posts (spec.md "Home feed rules"). Takes sort (recent, trending), cursor, limit and, for the posts of one Hub, hubId; answers items (cards with feedContext) and nextCursor. Raises VALIDATION_FAILED for a foreign cursor, and FORBIDDEN for a Hub that the caller is no active member of.';

revoke all on function api.get_home_feed(jsonb) from public;
grant execute on function api.get_home_feed(jsonb) to anon, authenticated;
