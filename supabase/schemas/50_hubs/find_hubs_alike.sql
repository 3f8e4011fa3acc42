create function app.find_hubs_alike(p_query text)
returns setof app.search_hit
language sql
stable
security invoker
set search_path = ''
-- There is always an index to go by, however full the planner takes it for.
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
    -- Of a frequent name written wrongly the net holds some: to rank all of them, all would have to be read.
    limit 500
  ) as alike
  where char_length(p_query) >= 3
    and not starts_with(alike.custom_link, p_query) and not starts_with(alike.search_name, p_query)
    and not starts_with(app.last_word(alike.search_name), p_query);
end;
comment on function app.find_hubs_alike(text) is 'The last tier of app.find_hubs: up to 500 Hubs with a word in custom link or name like the query; a query of fewer than three characters is like nothing.';

revoke all on function app.find_hubs_alike(text) from public;
