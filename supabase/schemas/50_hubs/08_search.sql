create function api.search_hubs(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.search_key(app.text_argument(p_args, 'q', 1, 80));
  v_list text := app.list_of('search_hubs', p_args);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_hits app.search_hit[];
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'q');
  if v_query <> '' then
    perform app.use_limit('searches');
    v_hits := array(select hit from app.find_hubs(v_query, v_after, v_limit + 1) as hit);
  end if;
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(app.hub_preview(h, app.viewer_status(h.id)) order by hit.place), '[]')
      from unnest(v_hits[:v_limit]) with ordinality as hit (tier, key, id, place)
      join app.hubs as h on h.id = hit.id
    ),
    'nextCursor', app.encode_hit(v_list, v_hits, v_limit)
  );
end
$$;
comment on function api.search_hubs is 'GET /search/hubs (docs/product.md H26). Searches Hubs by custom link and name. Args: q, cursor, limit. Returns items (previews), best first, and nextCursor. Errors: UNAUTHORIZED, VALIDATION_FAILED (cursor of another list), RATE_LIMITED.';
grant execute on function api.search_hubs to authenticated;

create function app.find_hubs(p_query text, p_after app.search_hit, p_limit integer) returns setof app.search_hit
language plpgsql stable security definer set search_path = '' as $$
declare
  v_end text collate "C" := app.end_of_prefix(p_query);
  v_found integer;
begin
  return query
  select hit.tier, hit.key, hit.id
  from (
    (
      select 1 as tier, h.custom_link::text as key, h.id
      from app.hubs as h
      where h.custom_link >= p_query and h.custom_link < v_end and h.is_open and p_after.tier = 1
        and (h.custom_link, h.id) > (p_after.key, p_after.id)
      order by h.custom_link
      limit p_limit
    )
    union all
    (
      select 2, h.search_name::text, h.id
      from app.hubs as h
      where h.search_name >= p_query and h.search_name < v_end and h.is_open
        and not starts_with(coalesce(h.custom_link, ''), p_query)
        and p_after.tier <= 2 and (p_after.tier < 2 or (h.search_name, h.id) > (p_after.key, p_after.id))
      order by h.search_name, h.id
      limit p_limit
    )
    union all
    (
      select 3, app.last_word(h.search_name), h.id
      from app.hubs as h
      where app.last_word(h.search_name) >= p_query and app.last_word(h.search_name) < v_end and h.is_open
        and not starts_with(coalesce(h.custom_link, ''), p_query) and not starts_with(h.search_name, p_query)
        and p_after.tier <= 3 and (p_after.tier < 3 or (app.last_word(h.search_name), h.id) > (p_after.key, p_after.id))
      order by app.last_word(h.search_name), h.id
      limit p_limit
    )
  ) as hit (tier, key, id)
  order by hit.tier, hit.key collate "C", hit.id
  limit p_limit;
  get diagnostics v_found = row_count;
  if v_found < p_limit then
    perform app.set_similarity();
    return query
    select alike.tier, alike.key, alike.id
    from app.find_hubs_alike(p_query) as alike
    where p_after.tier < 4 or (alike.key, alike.id) > (p_after.key, p_after.id)
    order by alike.key collate "C", alike.id
    limit p_limit - v_found;
  end if;
end
$$;
comment on function app.find_hubs is 'Returns the Hubs that a search finds (docs/product.md H26), best first, after p_after. The tiers: custom link begins with the query (an exact link sorts first), name does, last word of the name does, similar. It bypasses policies, because their conditions would keep its operators from the indexes.';
grant execute on function app.find_hubs to authenticated;

create function app.find_hubs_alike(p_query text) returns setof app.search_hit
language sql stable set search_path = ''
-- The planner overestimates the matches and would scan the table instead of the index.
set enable_seqscan = off
begin atomic
  select 4, alike.key, alike.id
  from (
    select
      to_char(
        1000000 * (1 - extensions.word_similarity(p_query, coalesce(h.custom_link, '') || ' ' || h.search_name)), 'FM0000000'
      ) as key,
      h.id, coalesce(h.custom_link, '') as custom_link, h.search_name
    from app.hubs as h
    where p_query operator(extensions.<%) (coalesce(h.custom_link, '') || ' ' || h.search_name) and h.is_open
    -- Bounds the work for a misspelt frequent name: ranking all its matches would read them all.
    limit 500
  ) as alike
  where char_length(p_query) >= 3
    and not starts_with(alike.custom_link, p_query) and not starts_with(alike.search_name, p_query)
    and not starts_with(app.last_word(alike.search_name), p_query);
end;
comment on function app.find_hubs_alike is 'Returns the last tier of app.find_hubs: up to 500 Hubs with a word in custom link or name similar to the query; none for a query of fewer than three characters.';
