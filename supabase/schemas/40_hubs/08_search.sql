-- Searches Hubs by custom link and name.
--
-- Args: q, cursor, limit. Returns items (previews), best first, and nextCursor.
create function api.search_hubs(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.text_argument(p_args, 'q', 1, 80);
  v_key text := app.search_key(v_query);
  v_list text := app.list_of('search_hubs', p_args);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_hits app.search_hit[];
begin
  perform app.require_level(1);
  perform app.require_arguments(p_args, 'q');
  if v_key <> '' then
    perform app.use_limit('searches');
    v_hits := array(select hit from app.find_hubs(app.handle_key(v_query), v_key, v_after, v_limit + 1) as hit);
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
comment on function api.search_hubs is 'GET /search/hubs (docs/product.md H26).';
grant execute on function api.search_hubs to authenticated;

-- Returns the Hubs that a search finds, best first, after p_after.
--
-- Args: p_link (app.handle_key), p_key (app.search_key). The tiers: custom link begins with p_link (an exact
-- link sorts first), name begins with the key, last word of the name does, the rest of app.find_hubs_alike.
-- It bypasses policies, because their conditions would keep its operators from the indexes.
create function app.find_hubs(p_link text, p_key text, p_after app.search_hit, p_limit integer)
returns setof app.search_hit
language plpgsql stable security definer set search_path = '' as $$
declare
  v_link_end text collate "C" := app.end_of_prefix(p_link);
  v_end text collate "C" := app.end_of_prefix(p_key);
  v_found integer;
begin
  return query
  select hit.tier, hit.key, hit.id
  from (
    (
      select 1 as tier, h.custom_link::text as key, h.id
      from app.hubs as h
      where h.custom_link >= p_link and h.custom_link < v_link_end and h.is_open and p_after.tier = 1
        and (h.custom_link, h.id) > (p_after.key, p_after.id)
      order by h.custom_link
      limit p_limit
    )
    union all
    (
      select 2, h.search_name::text, h.id
      from app.hubs as h
      where h.search_name >= p_key and h.search_name < v_end and h.is_open
        and not starts_with(coalesce(h.custom_link, ''), p_link)
        and p_after.tier <= 2 and (p_after.tier < 2 or (h.search_name, h.id) > (p_after.key, p_after.id))
      order by h.search_name, h.id
      limit p_limit
    )
    union all
    (
      select 3, app.last_word(h.search_name), h.id
      from app.hubs as h
      where app.last_word(h.search_name) >= p_key and app.last_word(h.search_name) < v_end and h.is_open
        and not starts_with(coalesce(h.custom_link, ''), p_link) and not starts_with(h.search_name, p_key)
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
    from app.find_hubs_alike(p_link, p_key) as alike
    where p_after.tier < 4 or (alike.key, alike.id) > (p_after.key, p_after.id)
    order by alike.key collate "C", alike.id
    limit p_limit - v_found;
  end if;
end
$$;
comment on function app.find_hubs is 'Returns the Hubs that a search finds, best first (docs/product.md H26).';
grant execute on function app.find_hubs to authenticated;

-- Returns the last tier of app.find_hubs: up to 500 Hubs with every word of the key in custom link or name,
-- and up to 500 with a similar word. Fewer than three characters are similar to nothing.
create function app.find_hubs_alike(p_link text, p_key text) returns setof app.search_hit
language plpgsql stable set search_path = ''
-- The planner overestimates the matches and would scan the table instead of the index.
set enable_seqscan = off
as $$
declare
  v_words tsquery := app.all_words_of(p_key);
  v_trigrams text := app.trigram_key(p_key);
begin
  return query
  select 4, to_char(1000000 * (1 - max(found.similarity)), 'FM0000000'), h.id
  from (
    (
      select w.id, 1::real as similarity
      from app.hubs as w
      where app.word_vector(coalesce(w.custom_link, '') || ' ' || w.name) @@ v_words
      limit 500
    )
    union all
    (
      select t.id,
        extensions.word_similarity(v_trigrams, coalesce(t.custom_link, '') || ' ' || app.trigram_key(t.search_name))
      from app.hubs as t
      where char_length(v_trigrams) >= 3
        and v_trigrams operator(extensions.<%) (coalesce(t.custom_link, '') || ' ' || app.trigram_key(t.search_name))
      -- Bounds the work for a misspelt frequent name: ranking all its matches would read them all.
      limit 500
    )
  ) as found
  join app.hubs as h on h.id = found.id
  where h.is_open and not starts_with(coalesce(h.custom_link, ''), p_link) and not starts_with(h.search_name, p_key)
    and not starts_with(app.last_word(h.search_name), p_key)
  group by h.id;
end
$$;
comment on function app.find_hubs_alike is
  'Returns Hubs with the words of a search, or with similar ones (docs/product.md H26).';
