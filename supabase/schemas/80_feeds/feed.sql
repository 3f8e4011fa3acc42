create function app.feed(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid := p_args ->> 'hubId';
  v_limit integer := app.page_size(p_args, 20, 50);
  v_place app.feed_place := app.decode_place(p_args ->> 'cursor');
  v_is_trending boolean := coalesce(app.choice_argument(p_args, 'sort', 'recent', 'trending') = 'trending', false);
  -- Trending looks at the week before the walk began as a whole, and orders it anew for each page.
  v_since timestamptz := case when v_is_trending then v_place.began_at - interval '7 days' else '-infinity' end;
  v_behind app.feed_place := case when v_is_trending then app.decode_place(null) else v_place end;
  v_count integer := case when v_is_trending then 1000 else v_limit + 1 end;
  v_is_own boolean := v_hub_id is null and app.has_sources();
  v_entries app.feed_entry[];
  v_contexts text[];
begin
  if v_is_own then
    v_entries := app.home_entries(v_since, v_behind, v_count);
  elsif v_hub_id is not null then
    v_entries := app.hub_entries(v_hub_id, v_since, v_behind, v_count);
  else
    v_entries := app.default_entries(v_since, v_behind, v_count);
  end if;
  if v_is_trending then
    v_entries := app.warmest(v_entries, v_place, v_limit + 1);
  end if;
  if v_is_own then
    v_contexts := app.home_reasons(v_entries[:v_limit]);
  elsif v_hub_id is not null then
    v_contexts := app.hub_reasons(v_entries[:v_limit]);
  else
    v_contexts := array_fill('default_feed_user'::text, array[v_limit]);
  end if;
  return app.feed_page(v_entries, v_contexts, v_place, v_limit, v_hub_id);
end
$$;
comment on function app.feed(jsonb) is 'A page of a feed of the caller''s: takes sort (recent, trending), cursor, limit and, for the feed of a Hub of theirs, hubId; answers items (cards with feedContext) and nextCursor. Raises VALIDATION_FAILED for a foreign cursor.';

revoke all on function app.feed(jsonb) from public;
grant execute on function app.feed(jsonb) to anon, authenticated;
