create function app.feed(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_sort text := coalesce(app.choice_argument(p_args, 'sort', 'recent', 'trending'), 'recent');
  v_limit integer := app.page_size(p_args, 20, 50);
  v_place app.feed_place := app.decode_place(p_args ->> 'cursor', coalesce(v_hub_id::text, 'home'), v_sort);
  v_is_own boolean := v_hub_id is null and app.has_sources();
  v_entries app.feed_entry[];
  v_contexts text[];
begin
  v_entries := case v_sort
    when 'trending' then app.trending_entries(v_hub_id, v_is_own, v_place, v_limit + 1)
    else app.recent_entries(v_hub_id, v_is_own, v_place, v_limit + 1)
  end;
  if v_is_own then
    v_contexts := app.home_reasons(v_entries[:v_limit]);
  elsif v_hub_id is not null then
    v_contexts := app.hub_reasons(v_hub_id, v_entries[:v_limit]);
  else
    v_contexts := array_fill('default_feed_user'::text, array[v_limit]);
  end if;
  return app.feed_page(v_entries, v_contexts, v_place, v_limit, v_hub_id);
end
$$;
comment on function app.feed(jsonb) is 'A page of a feed of the caller''s. Args: sort (recent, trending), cursor, limit and, for the feed of a Hub of theirs, hubId. Returns items (cards with feedContext) and nextCursor. Errors: VALIDATION_FAILED for a cursor of another feed or sort.';

revoke all on function app.feed(jsonb) from public;
grant execute on function app.feed(jsonb) to anon, authenticated;
