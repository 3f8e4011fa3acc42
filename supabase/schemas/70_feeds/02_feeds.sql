-- Lists a page of the home feed, or of the feed of one Hub.
--
-- Args: sort (recent, trending), cursor, limit, hubId (optional). Returns items (cards with feedContext) and
-- nextCursor.
create function api.get_home_feed(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
begin
  return app.feed('get_home_feed', p_args);
end
$$;
comment on function api.get_home_feed is 'GET /posts (docs/product.md F1-F11, F14-F16).';
grant execute on function api.get_home_feed to anon, authenticated;

-- Lists a page of the feed of a Hub, last placed or shared first.
--
-- Args: hubId, cursor, limit. Returns items (cards with feedContext) and nextCursor.
create function api.get_hub_feed(jsonb) returns json
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  return app.feed('get_hub_feed', p_args);
end
$$;
comment on function api.get_hub_feed is 'GET /hubs/{hubId}/feed (docs/product.md F11).';
grant execute on function api.get_hub_feed to authenticated;

-- Lists a page of the feed of a profile.
--
-- Args: userId, cursor, limit. Returns items (cards) and nextCursor.
create function api.get_profile_feed(jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
begin
  return app.profile_feed(app.require_person((p_args ->> 'userId')::uuid), p_args);
end
$$;
comment on function api.get_profile_feed is 'GET /users/{userId}/feed (docs/product.md F12, F13).';
grant execute on function api.get_profile_feed to anon, authenticated;

-- A definer function: it reads events, which no policy shows, and posts that the caller may see
-- (app.seen_posts).
--
-- Args: p_name (the operation); p_args with sort (recent, trending), cursor, limit, hubId (a Hub of the
-- caller's; none for the home feed). Returns items (cards with feedContext) and nextCursor. Errors:
-- VALIDATION_FAILED (a cursor of another feed or sort).
create function app.feed(p_name text, p_args jsonb) returns json
language plpgsql security definer set search_path = '' as $$
begin
  if p_name = 'get_hub_feed' or p_args ->> 'hubId' is not null then
    perform app.require_member((p_args ->> 'hubId')::uuid);
  end if;
  return app.read_feed(p_name, p_args);
end
$$;
comment on function app.feed is 'Returns a page of a feed of the caller''s.';
grant execute on function app.feed to anon, authenticated;

-- Stable: all that it reads, it reads in one snapshot, which the cursor carries. Args and answer: as
-- app.feed.
create function app.read_feed(p_name text, p_args jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_sort text := coalesce(app.choice_argument(p_args, 'sort', 'recent', 'trending'), 'recent');
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of(p_name, p_args, '{"sort": "recent"}');
  v_cursor app.feed_cursor := app.open_feed_cursor(v_list, p_args ->> 'cursor', v_sort, v_hub_id is null);
  v_entries app.feed_entry[];
  v_contexts text[];
begin
  v_entries := case v_sort
    when 'trending' then app.trending_entries(v_hub_id, v_cursor, v_limit + 1)
    else app.recent_entries(v_hub_id, v_cursor, v_limit + 1)
  end;
  if v_cursor.is_own then
    v_contexts := app.home_reasons(v_entries[:v_limit], v_cursor);
  elsif v_hub_id is not null then
    v_contexts := app.hub_reasons(v_hub_id, v_entries[:v_limit]);
  else
    v_contexts := array_fill('default_feed_user'::text, array[v_limit]);
  end if;
  return app.feed_page(v_entries, v_contexts, v_cursor, v_limit, v_hub_id);
end
$$;
comment on function app.read_feed is 'Returns a page of a feed whose reader may read it.';

-- A definer function, as app.feed. Args: p_user_id (a person whom the caller may see); p_args with cursor,
-- limit.
create function app.profile_feed(p_user_id uuid, p_args jsonb) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  v_limit integer := app.page_size(p_args, 20, 50);
  v_cursor app.feed_cursor := app.open_feed_cursor(
    app.list_of('get_profile_feed', p_args, p_is_shared => true), p_args ->> 'cursor'
  );
begin
  return app.feed_page(
    app.profile_entries(p_user_id, v_cursor, v_limit + 1), null, v_cursor, v_limit, p_shows_phone => false
  );
end
$$;
comment on function app.profile_feed is 'Returns a page of the feed of a profile.';
grant execute on function app.profile_feed to anon, authenticated;

create function app.has_sources() returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if app.user_id() is null then
    return false;
  end if;
  -- A statement of its own: most callers have sources, and posts cost more to start than these.
  if exists (
    select
    from app.my_sources as s
    where not exists (select from app.users_hidden_from_all as h where h.user_id = s.source_id)
  ) then
    return true;
  end if;
  return exists (select from app.posts as p where p.author_id = app.user_id() and p.removed_at is null);
end
$$;
comment on function app.has_sources is
  'Returns whether the caller has a home feed of their own: they follow a person who is not hidden from everybody, are '
  'in a Hub, or have a post (docs/product.md F3).';

-- Like app.my_hubs, it reads with its owner's rights.
create view app.my_sources with (security_barrier = true) as
select 'follows' as kind, f.followee_id as source_id
from app.follows as f
where f.follower_id = (select app.user_id())
union all
select 'memberships', mine.hub_id
from app.my_hubs as mine;
comment on view app.my_sources is
  'One row per source of app.feed_events that the caller reads now: each followed person and each Hub of theirs, and '
  'the table that says so (kind).';
grant select on app.my_sources to authenticated;

-- Args: p_hub_id (null for the home feed); p_after (the cursor); p_limit.
create function app.recent_entries(p_hub_id uuid, p_after app.feed_cursor, p_limit integer)
returns app.feed_entry[]
language plpgsql stable set search_path = '' as $$
begin
  if p_hub_id is not null then
    return app.hub_entries(p_hub_id, p_after, p_limit);
  elsif p_after.is_own then
    return app.home_entries(p_after, p_limit);
  end if;
  return app.default_entries(p_after, p_limit);
end
$$;
comment on function app.recent_entries is
  'Returns the first posts after p_after in a feed of the caller''s, newest first.';

-- Builds a page of a feed.
--
-- Args: p_entries after p_after, one more than p_limit if there is a next page; p_contexts (feedContext of
-- each entry, or null); p_after (the cursor); p_limit; p_hub_id and p_shows_phone (as app.seen_cards).
-- Returns items (cards) and nextCursor.
create function app.feed_page(
  p_entries app.feed_entry[], p_contexts text[], p_after app.feed_cursor, p_limit integer, p_hub_id uuid default null,
  p_shows_phone boolean default true
) returns json
language plpgsql stable set search_path = '' as $$
declare
  v_page app.feed_entry[] := p_entries[:p_limit];
begin
  return json_object(
    'items': app.cards_of(
      array(select entry.post from unnest(v_page) as entry), array(select entry.id from unnest(v_page) as entry),
      p_hub_id, p_contexts, null, p_shows_phone
    ),
    'nextCursor': case when cardinality(p_entries) > p_limit then
      app.encode_feed_cursor((
        v_page[p_limit].at, v_page[p_limit].id, p_after.began_at, p_after.seen,
        case when p_after.part = 'active' and v_page[p_limit].kind is not null then 'quiet' else p_after.part end,
        p_after.is_own, p_after.list
      )::app.feed_cursor)
    end
  );
end
$$;
comment on function app.feed_page is 'Builds a page of a feed (docs/product.md W5).';

create function app.encode_feed_cursor(p_after app.feed_cursor) returns text
language plpgsql stable set search_path = '' as $$
begin
  return app.seal_cursor(p_after.list, jsonb_build_array(
    p_after.at, p_after.id, p_after.began_at, p_after.seen::text, p_after.part, p_after.is_own
  ));
end
$$;
comment on function app.encode_feed_cursor is 'Returns the text of a cursor of a feed.';

-- Returns where a page of a feed begins.
--
-- p_list is the feed (app.list_of), p_sort its order, recent or trending, p_is_home whether it is the home
-- feed. Page one decides whether that is a feed of the caller's own. Nothing that a request holds dates page
-- one later than now: activity that is still to come would count (docs/product.md V15).
create function app.open_feed_cursor(
  p_list text, p_cursor text, p_sort text default 'recent', p_is_home boolean default false
) returns app.feed_cursor
language plpgsql stable set search_path = '' as $$
declare
  v_after jsonb := app.open_cursor(p_list, p_cursor);
begin
  if v_after is null then
    return (
      'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', app.now(), pg_current_snapshot(),
      case p_sort when 'trending' then 'active' else 'recent' end, p_is_home and app.has_sources(), p_list
    )::app.feed_cursor;
  end if;
  return (
    v_after ->> 0, v_after ->> 1, least((v_after ->> 2)::timestamptz, app.now()), v_after ->> 3, v_after ->> 4,
    v_after ->> 5, p_list
  )::app.feed_cursor;
end
$$;
comment on function app.open_feed_cursor is
  'Returns where a page of a feed begins; VALIDATION_FAILED for a foreign cursor.';
