create function app.find_hubs(p_query text, p_after app.search_hit, p_limit integer)
returns setof app.search_hit
language plpgsql
stable
security definer
set search_path = ''
as $$
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
    perform set_config('pg_trgm.word_similarity_threshold', '0.5', true);
    return query
    select alike.tier, alike.key, alike.id
    from app.find_hubs_alike(p_query) as alike
    where p_after.tier < 4 or (alike.key, alike.id) > (p_after.key, p_after.id)
    order by alike.key collate "C", alike.id
    limit p_limit - v_found;
  end if;
end
$$;
comment on function app.find_hubs(text, app.search_hit, integer) is 'Which Hubs a search finds (contract.md 8, "Search"), best first, behind p_after: whose custom link begins with the query (which the exact one does first of all), whose name does, whose last word of it does, and which are called alike. It reads around the policies, as their conditions would keep its operators from the indexes.';

revoke all on function app.find_hubs(text, app.search_hit, integer) from public;
grant execute on function app.find_hubs(text, app.search_hit, integer) to authenticated;
