create type app.found_posts as (hits app.search_hit[], reached bigint, examined integer, is_end boolean);
comment on type app.found_posts is
  'What a search has found: its hits, the number of app.post_words down to which it has looked, how many candidates it '
  'examined, and whether it has reached the end.';

-- Searches posts by their words, newest first.
--
-- Args: q, hubId (optional: in this Hub only, with its votes), cursor, limit. Returns items (cards) and
-- nextCursor; a page may be short before the end.
create function api.search_posts(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_limit integer := app.page_size(p_args, 20, 50);
  v_search record := app.search_query(app.text_argument(p_args, 'q', 1, 80));
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_list text := app.list_of(
    'search_posts', p_args, p_is_shared => p_args ->> 'hubId' is null
  );
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_batch integer := v_limit + 1;
  -- The candidates that one search examines, to the end of a bucket.
  v_budget integer := 20000;
  v_found app.found_posts;
  v_hits app.search_hit[] := array[]::app.search_hit[];
begin
  perform app.require_arguments(p_args, 'q');
  perform app.require_scope(v_hub_id);
  perform app.use_limit('searches');
  v_found.reached := nullif(v_after.key, '')::bigint;
  loop
    v_found := app.find_posts(v_search.query, v_search.candidates, v_hub_id, v_found.reached, v_batch, v_budget);
    v_hits := v_hits || array(
      select (hit.tier, hit.key, hit.id)::app.search_hit
      from unnest(v_found.hits) with ordinality as hit (tier, key, id, place)
      join app.posts as p on p.id = hit.id
      order by hit.place
    );
    v_budget := v_budget - v_found.examined;
    exit when cardinality(v_hits) > v_limit or v_found.is_end or v_budget <= 0;
    -- The policy of posts has hidden some. Larger batches soon reach the end of what a blocked user has written.
    v_batch := 8 * v_batch;
  end loop;
  return json_object(
    'items': app.seen_cards(
      array(select hit.id from unnest(v_hits[:v_limit]) as hit), v_hub_id, p_shows_phone => false
    ),
    'nextCursor': case
      when cardinality(v_hits) > v_limit then app.encode_hit(v_list, v_hits, v_limit)
      when not v_found.is_end then app.seal_cursor(v_list, jsonb_build_array(1, v_found.reached, null))
    end
  );
end
$$;
comment on function api.search_posts is 'GET /search/posts (docs/product.md PO24).';
grant execute on function api.search_posts to anon, authenticated;

-- Finds posts with the words of a query: public posts, those of the caller's Hubs and their own; or those of
-- one Hub.
--
-- Args: p_query and p_candidates (app.search_query), p_hub_id (null, or a Hub), p_below (null, or the number
-- of app.post_words to begin below), p_limit (hits), p_budget (candidates, to the end of a bucket). It goes
-- back in time, bucket by bucket. It bypasses policies, because their conditions would keep the operator from
-- the index; callers must apply the policy of posts.
create function app.find_posts(
  p_query tsquery, p_candidates tsquery, p_hub_id uuid, p_below bigint, p_limit integer, p_budget integer
) returns app.found_posts
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_newest bigint := (
    select w.number
    from app.post_words as w
    where w.number < coalesce(p_below, 9223372036854775807)
    order by w.number desc
    limit 1
  );
  v_hub_ids uuid[] := case
    when p_hub_id is null then array(select mine.hub_id from app.my_hubs as mine)
    else array[p_hub_id]
  end;
  v_are_few boolean := (
    select count(*) from (select from app.placements as p where p.hub_id = any (v_hub_ids) limit 5001) as few
  ) <= 5000;
  v_few app.search_hit[];
  v_step app.found_posts;
  v_found app.found_posts := (array[]::app.search_hit[], coalesce(v_newest + 1, 0), 0, true)::app.found_posts;
begin
  if p_query is null or v_newest is null then
    return v_found;
  end if;
  v_few := app.find_few_posts(p_query, case when v_are_few then v_hub_ids end, p_hub_id is null, v_newest);
  if p_hub_id is null then
    v_found := app.find_newest_posts(p_query, case when not v_are_few then v_hub_ids end, v_newest, p_limit);
  elsif v_are_few then
    v_found.reached := 0;
  end if;
  while cardinality(v_found.hits) < p_limit and v_found.examined < p_budget and v_found.reached > 0 loop
    v_step := app.find_posts_in_bucket(
      p_query, p_candidates, case when p_hub_id is null then null else v_hub_ids end,
      case when not v_are_few then v_hub_ids end, v_found.reached - 1, p_limit
    );
    v_found := (v_found.hits || v_step.hits, v_step.reached, v_found.examined + v_step.examined, true)::app.found_posts;
  end loop;
  v_found.hits := array(
    select found.hit
    -- An own post in a large Hub is found in both ways.
    from (select distinct hit from unnest(v_found.hits || v_few) as hit) as found
    where (found.hit).key::bigint >= v_found.reached
    order by (found.hit).key::bigint desc
    limit p_limit
  );
  v_found.is_end := v_found.reached = 0 and cardinality(v_found.hits) < p_limit;
  if cardinality(v_found.hits) = p_limit then
    v_found.reached := v_found.hits[p_limit].key::bigint;
  end if;
  return v_found;
end
$$;
comment on function app.find_posts is 'Returns posts with the words of a query, newest first (docs/product.md PO24).';
grant execute on function app.find_posts to anon, authenticated;

-- Finds all posts from p_newest down that need no index: those of Hubs with at most 5,000 posts together
-- (null for no Hub), of which p_private_only leaves out public ones, and with it the private posts of the
-- caller.
create function app.find_few_posts(p_query tsquery, p_hub_ids uuid[], p_private_only boolean, p_newest bigint)
returns app.search_hit[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select (1, w.number::text, w.post_id)::app.search_hit
    from (
      select p.post_id from app.placements as p where p.hub_id = any (p_hub_ids)
      union
      select p.id from app.posts as p where p_private_only and p.author_id = app.user_id() and not p.is_public
    ) as few
    join app.post_words as w on w.post_id = few.post_id
    where not (p_private_only and w.is_public) and w.number <= p_newest and ts_match_vq(w.words, p_query)
  );
end
$$;
comment on function app.find_few_posts is
  'Returns the posts with the words of a query in small Hubs of the caller, and their own.';

-- Finds the newest posts without the index: a frequent word is in them. The function instead of its operator
-- keeps the query off the index. Private posts count where they are in p_hub_ids; null for no private posts.
create function app.find_newest_posts(p_query tsquery, p_hub_ids uuid[], p_newest bigint, p_limit integer)
returns app.found_posts
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_oldest bigint := greatest(p_newest - 1999, 0);
  v_hits app.search_hit[] := array(
    select (1, w.number::text, w.post_id)::app.search_hit
    from app.post_words as w
    where w.number <= p_newest and w.number >= v_oldest and ts_match_vq(w.words, p_query)
      and (w.is_public or exists (
        select from app.placements as p where p.post_id = w.post_id and p.hub_id = any (p_hub_ids)
      ))
    order by w.number desc
    limit p_limit
  );
begin
  return (v_hits, v_oldest, p_newest - v_oldest + 1, true)::app.found_posts;
end
$$;
comment on function app.find_newest_posts is
  'Returns the posts with the words of a query among the newest 2,000 from p_newest down.';

-- Finds the posts of a bucket from p_newest down, at most p_limit.
--
-- Public posts count where they are in p_hub_ids, or everywhere for null; private ones where they are in
-- p_private_hub_ids.
create function app.find_posts_in_bucket(
  p_query tsquery, p_candidates tsquery, p_hub_ids uuid[], p_private_hub_ids uuid[], p_newest bigint, p_limit integer
) returns app.found_posts
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_bucket integer := app.search_bucket(p_newest);
  v_found app.found_posts;
begin
  with candidates as materialized (
    select w.number, w.post_id, ts_match_vq(w.words, p_query) and (p_hub_ids is null or exists (
      select from app.placements as p where p.post_id = w.post_id and p.hub_id = any (p_hub_ids)
    )) as is_hit
    from app.post_words as w
    where w.bucket = v_bucket and w.words @@ p_candidates and w.number <= p_newest
    union all
    select w.number, w.post_id, ts_match_vq(w.words, p_query) and exists (
      select from app.placements as p where p.post_id = w.post_id and p.hub_id = any (p_private_hub_ids)
    )
    from app.post_words as w
    where p_private_hub_ids is not null and w.bucket = -1 - v_bucket and w.words @@ p_candidates
      and w.number <= p_newest
  )
  select
    array(
      select (1, c.number::text, c.post_id)::app.search_hit
      from candidates as c
      where c.is_hit
      order by c.number desc
      limit p_limit
    ),
    app.first_in_bucket(v_bucket), (select count(*)::integer from candidates), true
  into v_found.hits, v_found.reached, v_found.examined, v_found.is_end;
  return v_found;
end
$$;
comment on function app.find_posts_in_bucket is
  'Returns the posts with the words of a query in the bucket of number p_newest.';

-- Stores the words of a new post, which never change.
create function app.record_post_words() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.post_words (post_id, is_public, words)
  select new.id, new.is_public, app.word_vector(concat_ws(E'\n', new.thought_text, new.slider_text, a.title, a.body))
  from (select new.article_id) as post (article_id)
  left join app.articles as a on a.id = post.article_id;
  return null;
end
$$;
comment on function app.record_post_words is 'Trigger: stores the words of a new post (docs/product.md PO24).';

create trigger posts_record_words_after_insert after insert on app.posts
for each row execute function app.record_post_words();
