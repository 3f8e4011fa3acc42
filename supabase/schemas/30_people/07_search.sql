-- Searches people by username and name.
--
-- Args: q, cursor, limit. Returns items (people, with viewerFollows for a caller with a session), best first,
-- and nextCursor.
create function api.search_users(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_limit integer := app.page_size(p_args, 30, 100);
  v_query text := app.text_argument(p_args, 'q', 1, 80);
  v_key text := app.search_key(v_query);
  v_handle text := app.handle_key(v_query);
  v_list text := app.list_of('search_users', p_args, p_is_shared => true);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_hits app.search_hit[];
  v_followed_ids uuid[];
begin
  perform app.require_arguments(p_args, 'q');
  -- A text without a word finds nothing, except by the underscores of usernames.
  if v_key <> '' or v_handle ~ '^_' then
    perform app.use_limit('searches');
    v_hits := array(select hit from app.find_people(v_handle, v_key, v_after, v_limit + 1) as hit);
  end if;
  v_followed_ids := app.viewer_follows(array(select hit.id from unnest(v_hits) as hit));
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', p.user_id,
          'name', p.full_name,
          'username', p.username,
          'profilePhotoUrl', app.photo_url(p.photo_asset_id),
          'bio', p.bio
        ) || case
          when app.user_id() is null then '{}'
          else jsonb_build_object('viewerFollows', p.user_id = any (v_followed_ids))
        end
        order by hit.place
      ), '[]')
      from unnest(v_hits[:v_limit]) with ordinality as hit (tier, key, id, place)
      join app.profiles as p on p.user_id = hit.id
    ),
    'nextCursor', app.encode_hit(v_list, v_hits, v_limit)
  );
end
$$;
comment on function api.search_users is 'GET /search/users (docs/product.md P22, P23).';
grant execute on function api.search_users to anon, authenticated;

create function app.handle_key(p_query text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return regexp_replace(app.folded(btrim(p_query)), '^@', '');
end
$$;
comment on function app.handle_key is 'Returns a text as searches compare usernames with it (docs/product.md P22).';
grant execute on function app.handle_key to anon, authenticated;

-- Searches with a typo call it before they use the operators of pg_trgm.
create function app.set_similarity() returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('pg_trgm.word_similarity_threshold', '0.5', true);
end
$$;
comment on function app.set_similarity is
  'Sets how similar a name must be to a query, from 0 to 1, until the end of the transaction (docs/product.md P23).';

-- Returns the people that a search finds, best first, after p_after.
--
-- Args: p_handle (app.handle_key), p_key (app.search_key). The tiers: username begins with the handle (an
-- exact one sorts first), name begins with the key, last name does, the rest of app.find_people_alike. It
-- omits hidden users. It bypasses policies, because their conditions would keep its operators from the
-- indexes.
create function app.find_people(p_handle text, p_key text, p_after app.search_hit, p_limit integer)
returns setof app.search_hit
language plpgsql stable security definer set search_path = '' as $$
declare
  v_handle_end text collate "C" := app.end_of_prefix(p_handle);
  v_end text collate "C" := app.end_of_prefix(p_key);
  v_left integer := p_limit;
  v_found integer;
  v_key text collate "C";
  v_id uuid;
begin
  for v_tier in p_after.tier .. case when p_key = '' then 1 else 4 end loop
    -- The start of the tier, so its index scan begins there.
    v_key := case when v_tier = p_after.tier then p_after.key when v_tier in (2, 3) then p_key else '' end;
    v_id := case when v_tier = p_after.tier then p_after.id else '00000000-0000-0000-0000-000000000000' end;
    if v_tier = 1 then
      return query
      select 1, p.username::text, p.user_id
      from app.profiles as p
      where p.username >= p_handle and p.username < v_handle_end and p.username > v_key
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.username
      limit v_left;
    elsif v_tier = 2 then
      return query
      select 2, p.search_name::text, p.user_id
      from app.profiles as p
      where p.search_name >= p_key and p.search_name < v_end and (p.search_name, p.user_id) > (v_key, v_id)
        and not starts_with(p.username, p_handle)
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.search_name, p.user_id
      limit v_left;
    elsif v_tier = 3 then
      return query
      select 3, app.last_word(p.search_name), p.user_id
      from app.profiles as p
      where app.last_word(p.search_name) >= p_key and app.last_word(p.search_name) < v_end
        and (app.last_word(p.search_name), p.user_id) > (v_key, v_id)
        and not starts_with(p.username, p_handle) and not starts_with(p.search_name, p_key)
        and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by app.last_word(p.search_name), p.user_id
      limit v_left;
    else
      perform app.set_similarity();
      return query select * from app.find_people_alike(p_handle, p_key, v_key, v_id, v_left);
    end if;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
    exit when v_left <= 0;
  end loop;
end
$$;
comment on function app.find_people is 'Returns the people that a search finds, best first (docs/product.md P22).';
grant execute on function app.find_people to anon, authenticated;

-- Returns the last tier of app.find_people: people with every word of the key in their names, then people
-- with a similar word in username or name (the threshold that app.find_people has set), nearest first.
create function app.find_people_alike(p_handle text, p_key text, p_from text, p_id uuid, p_limit integer)
returns setof app.search_hit
language plpgsql stable set search_path = '' as $$
declare
  v_trigrams text := app.trigram_key(p_key);
begin
  return query
  select 4, rank.key, alike.user_id
  from (
    select found.user_id, found.username, found.search_name, max(found.similarity) as similarity
    from (
      select p.user_id, p.username, p.search_name, 1::real as similarity
      from app.people_with_words(app.all_words_of(p_key)) as p
      union all
      select p.user_id, p.username, p.search_name,
        extensions.word_similarity(v_trigrams, p.username || ' ' || app.trigram_key(p.search_name))
      from app.candidates_alike(p_handle, v_trigrams) as p
    ) as found
    group by found.user_id, found.username, found.search_name
  ) as alike
  cross join lateral (select to_char(1000000 * (1 - alike.similarity), 'FM0000000') as key) as rank
  where alike.similarity >= current_setting('pg_trgm.word_similarity_threshold', true)::real
    and not starts_with(alike.username, p_handle) and not starts_with(alike.search_name, p_key)
    and not starts_with(app.last_word(alike.search_name), p_key)
    and (rank.key, alike.user_id) > (p_from, p_id)
    and alike.user_id not in (select h.user_id from app.hidden_users as h)
  order by rank.key, alike.user_id
  limit p_limit;
end
$$;
comment on function app.find_people_alike is
  'Returns people with the words of a search, or with similar ones (docs/product.md P22).';

create function app.people_with_words(p_words tsquery) returns setof app.profiles
language plpgsql stable set search_path = ''
-- The planner overestimates the matches and would scan the table instead of the index.
set enable_seqscan = off
as $$
begin
  -- Bounds the work for a frequent word.
  return query select p.* from app.profiles as p where app.word_vector(p.full_name) @@ p_words limit 500;
end
$$;
comment on function app.people_with_words is 'Returns up to 500 people with the words of a query in their names.';

-- Returns people who may be similar to the text of a search: up to 500 with a similar word.
--
-- A caller who types a whole username mostly means its owner, and the trigram index reads long lists for any
-- text, so for a username these are the 50 usernames on each side of it. Fewer than three characters are
-- similar to nothing.
create function app.candidates_alike(p_handle text, p_trigrams text) returns setof app.profiles
language plpgsql stable set search_path = ''
-- The planner overestimates the matches and would scan the table instead of the index.
set enable_seqscan = off
as $$
begin
  if char_length(p_trigrams) < 3 then
    return;
  elsif exists (
    -- Ignores hidden owners, or the answer would reveal that they exist.
    select
    from app.profiles as p
    where p.username = p_handle and p.user_id not in (select h.user_id from app.hidden_users as h)
  ) then
    return query
    (
      select p.*
      from app.profiles as p
      where p.username < p_handle and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.username desc
      limit 50
    )
    union all
    (
      select p.*
      from app.profiles as p
      where p.username >= app.end_of_prefix(p_handle) and p.user_id not in (select h.user_id from app.hidden_users as h)
      order by p.username
      limit 50
    );
  else
    return query
    select p.*
    from app.profiles as p
    where p_trigrams operator(extensions.<%) (p.username || ' ' || app.trigram_key(p.search_name))
    -- Bounds the work for a misspelt frequent name: ranking all its matches would read them all.
    limit 500;
  end if;
end
$$;
comment on function app.candidates_alike is
  'Returns people who may be similar to the text of a search (docs/product.md P22).';
