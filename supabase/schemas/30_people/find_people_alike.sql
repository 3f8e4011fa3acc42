create function app.find_people_alike(p_query text, p_key text, p_id uuid, p_limit integer)
returns setof app.search_hit
language sql
stable
security invoker
set search_path = ''
-- There is always an index to go by, however full the planner takes it for.
set enable_seqscan = off
begin atomic
  select 4, alike.key, alike.user_id
  from (
    select
      to_char(1000000 * (1 - extensions.word_similarity(p_query, p.username || ' ' || p.search_name)), 'FM0000000') as key,
      p.user_id, p.username, p.search_name
    from app.profiles as p
    where p_query operator(extensions.<%) (p.username || ' ' || p.search_name)
    -- Of a frequent name written wrongly the net holds some: to rank all of them, all would have to be read.
    limit 500
  ) as alike
  where char_length(p_query) >= 3
    and not starts_with(alike.username, p_query) and not starts_with(alike.search_name, p_query)
    and not starts_with(app.last_word(alike.search_name), p_query)
    and (alike.key, alike.user_id) > (p_key, p_id)
    and alike.user_id not in (select h.user_id from app.hidden_users as h)
  order by alike.key, alike.user_id
  limit p_limit;
end;
comment on function app.find_people_alike(text, text, uuid, integer) is 'The last tier of app.find_people: up to 500 people with a word in username or name like the query, nearest first; a query of fewer than three characters is like nothing.';

revoke all on function app.find_people_alike(text, text, uuid, integer) from public;
