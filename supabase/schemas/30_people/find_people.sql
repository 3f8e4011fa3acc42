create function app.find_people(p_query text, p_after app.search_hit, p_limit integer)
returns setof app.search_hit
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_end text collate "C" := app.end_of_prefix(p_query);
  v_left integer := p_limit;
  v_found integer;
  v_key text collate "C";
  v_id uuid;
begin
  for v_tier in p_after.tier..4 loop
    -- Where a tier begins, so that its index is read from there.
    v_key := case when v_tier = p_after.tier then p_after.key when v_tier in (2, 3) then p_query else '' end;
    v_id := case when v_tier = p_after.tier then p_after.id else '00000000-0000-0000-0000-000000000000' end;
    if v_tier = 1 then
      return query
      select 1, p.username::text, p.user_id
      from app.profiles as p
      where p.username >= p_query and p.username < v_end and p.username > v_key
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.username
      limit v_left;
    elsif v_tier = 2 then
      return query
      select 2, p.search_name::text, p.user_id
      from app.profiles as p
      where p.search_name >= p_query and p.search_name < v_end and (p.search_name, p.user_id) > (v_key, v_id)
        and not starts_with(p.username, p_query)
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.search_name, p.user_id
      limit v_left;
    elsif v_tier = 3 then
      return query
      select 3, app.last_word(p.search_name), p.user_id
      from app.profiles as p
      where app.last_word(p.search_name) >= p_query and app.last_word(p.search_name) < v_end
        and (app.last_word(p.search_name), p.user_id) > (v_key, v_id)
        and not starts_with(p.username, p_query) and not starts_with(p.search_name, p_query)
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by app.last_word(p.search_name), p.user_id
      limit v_left;
    else
      perform set_config('pg_trgm.word_similarity_threshold', '0.5', true);
      return query select * from app.find_people_alike(p_query, v_key, v_id, v_left);
    end if;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
    exit when v_left <= 0;
  end loop;
end
$$;
comment on function app.find_people(text, app.search_hit, integer) is 'Whom a search finds (spec.md H, contract.md 8), best first, behind p_after: whose username begins with the query (which the exact one does first of all), whose name does, whose last name does, and who is called alike. Leaves out people hidden from the caller. It reads around the policies, as their conditions would keep its operators from the indexes.';

revoke all on function app.find_people(text, app.search_hit, integer) from public;
grant execute on function app.find_people(text, app.search_hit, integer) to anon, authenticated;
