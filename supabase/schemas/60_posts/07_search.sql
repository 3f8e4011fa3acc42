create function api.search_posts(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args jsonb := app.admit($1);
  v_limit integer := app.page_size(p_args, 20, 50);
  v_query tsquery := websearch_to_tsquery('pg_catalog.simple', app.folded(app.text_argument(p_args, 'q', 1, 80)));
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_list text := app.list_of('search_posts', p_args, p_is_shared => true);
  v_after app.search_hit := app.decode_hit(v_list, p_args ->> 'cursor');
  v_batch integer := v_limit + 1;
  v_found app.search_hit[];
  v_hits app.search_hit[] := array[]::app.search_hit[];
begin
  perform app.require_arguments(p_args, 'q');
  perform app.require_scope(v_hub_id);
  perform app.use_limit('searches');
  loop
    v_found := array(select hit from app.find_posts(v_query, v_hub_id, nullif(v_after.key, '')::bigint, v_batch) as hit);
    v_hits := v_hits || array(
      select (hit.tier, hit.key, hit.id)::app.search_hit
      from unnest(v_found) with ordinality as hit (tier, key, id, place)
      join app.posts as p on p.id = hit.id
      order by hit.place
    );
    exit when cardinality(v_hits) > v_limit or cardinality(v_found) < v_batch;
    -- The policy of posts has hidden some. Larger batches soon reach the end of what a blocked user has written.
    v_after := v_found[v_batch];
    v_batch := 8 * v_batch;
  end loop;
  return json_object(
    'items': app.post_cards(array(select hit.id from unnest(v_hits[:v_limit]) as hit)),
    'nextCursor': app.encode_hit(v_list, v_hits, v_limit)
  );
end
$$;
comment on function api.search_posts is 'GET /search/posts (docs/product.md PO24). Searches posts by their words. Args: q, hubId (optional: in this Hub only), cursor, limit. Returns items (cards), newest first, and nextCursor. Errors: UNAUTHORIZED (ended session), FORBIDDEN (non-member of hubId), VALIDATION_FAILED (cursor of another list), RATE_LIMITED.';
grant execute on function api.search_posts to anon, authenticated;

create function app.find_posts(p_query tsquery, p_hub_id uuid, p_below bigint, p_limit integer) returns setof app.search_hit
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_newest bigint := (
    select w.number from app.post_words as w where w.number < coalesce(p_below, 9223372036854775807) order by w.number desc limit 1
  );
  v_hub_ids uuid[] := case when p_hub_id is null then array(select mine.hub_id from app.my_hubs as mine) else array[p_hub_id] end;
begin
  if numnode(p_query) = 0 or v_newest is null then
    return;
  end if;
  return query
  select 1, found.number::text, found.post_id
  from (
    select f.number, f.post_id from app.find_public_posts(p_query, v_newest, p_limit) as f where p_hub_id is null
    union
    select f.number, f.post_id from app.find_hub_posts(p_query, v_hub_ids, p_hub_id is null, v_newest, p_limit) as f
    union
    select w.number, w.post_id
    from app.posts as p
    join app.post_words as w on w.post_id = p.id
    where p_hub_id is null and p.author_id = app.user_id() and not p.is_public
      and w.number <= v_newest and ts_match_vq(w.words, p_query)
  ) as found
  order by found.number desc
  limit p_limit;
end
$$;
comment on function app.find_posts is 'Returns posts with the words of a query, newest first: public posts, those of the caller''s Hubs and their own; or those of one Hub. Args: p_query, p_hub_id (null, or a Hub), p_below (null, or a number of app.post_words to begin below), p_limit. It bypasses policies, because their conditions would keep the operator from the index; callers must apply the policy of posts.';
grant execute on function app.find_posts to anon, authenticated;

create function app.find_public_posts(p_query tsquery, p_newest bigint, p_limit integer) returns setof app.post_words
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_older bigint := p_newest - 2000;
  v_left integer := p_limit;
  v_found integer;
begin
  -- A frequent word is in the newest posts. The function instead of its operator keeps this query off the index of words.
  return query
  select w.*
  from app.post_words as w
  where w.number <= p_newest and w.number > v_older and w.is_public and ts_match_vq(w.words, p_query)
  order by w.number desc
  limit v_left;
  get diagnostics v_found = row_count;
  v_left := v_left - v_found;
  for v_bucket in reverse app.search_bucket(v_older)..0 loop
    exit when v_left <= 0;
    return query
    select w.*
    from app.post_words as w
    where w.bucket = v_bucket and w.words @@ p_query and w.number <= v_older
    -- The sum keeps this query off the index of numbers, in which a rare word would take the whole bucket.
    order by w.number + 0 desc
    limit v_left;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
  end loop;
end
$$;
comment on function app.find_public_posts is 'Returns the newest public posts with the words of a query, from number p_newest on. It goes back in time bucket by bucket until it has p_limit.';

create function app.find_hub_posts(p_query tsquery, p_hub_ids uuid[], p_private_only boolean, p_newest bigint, p_limit integer)
returns setof app.post_words
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_left integer := p_limit;
  v_found integer;
begin
  if (select count(*) from (select from app.placements as p where p.hub_id = any (p_hub_ids) limit 5001) as few) <= 5000 then
    return query
    select w.*
    from app.post_words as w
    where w.post_id in (select p.post_id from app.placements as p where p.hub_id = any (p_hub_ids))
      and not (p_private_only and w.is_public) and w.number <= p_newest and ts_match_vq(w.words, p_query)
    order by w.number desc
    limit p_limit;
    return;
  end if;
  for v_bucket in reverse app.search_bucket(p_newest)..0 loop
    exit when v_left <= 0;
    return query
    select w.*
    from app.post_words as w
    where (w.bucket = -1 - v_bucket or w.bucket = v_bucket and not p_private_only) and w.words @@ p_query
      and w.number <= p_newest
      and exists (select from app.placements as p where p.post_id = w.post_id and p.hub_id = any (p_hub_ids))
    -- As in app.find_public_posts.
    order by w.number + 0 desc
    limit v_left;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
  end loop;
end
$$;
comment on function app.find_hub_posts is 'Returns the newest posts of Hubs with the words of a query, from number p_newest on; p_private_only leaves out public ones. Up to 5,000 posts it reads their words; beyond, it goes back in time as app.find_public_posts does.';

create function app.record_post_words() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.post_words (post_id, is_public, words)
  select new.id, new.is_public, to_tsvector('pg_catalog.simple', app.folded(concat_ws(E'\n', new.thought_text, new.slider_text, a.title, a.body)))
  from (select new.article_id) as post (article_id)
  left join app.articles as a on a.id = post.article_id;
  return null;
end
$$;
comment on function app.record_post_words is 'Trigger: stores the words of a new post, which never change.';

create trigger posts_record_words_after_insert after insert on app.posts
for each row execute function app.record_post_words();
