-- Returns the detail of a post.
--
-- Args: postId, hubId (optional: show the votes of this Hub). Returns app.post_detail.
create function api.get_post(jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
begin
  perform app.require_scope(v_hub_id);
  return app.post_detail((p_args ->> 'postId')::uuid, v_hub_id);
end
$$;
comment on function api.get_post is 'GET /posts/{postId} (docs/product.md PO13-PO16).';
grant execute on function api.get_post to anon, authenticated;

-- Lists the original of a post and its reposts that the caller may see, oldest first.
--
-- Args: postId, cursor, limit, hubId (optional: show the votes of this Hub). Returns items (cards) and
-- nextCursor.
create function api.list_frames(jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.require_live_session_if_any($1);
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of(
    'list_frames', p_args, p_is_shared => p_args ->> 'hubId' is null
  );
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor', true);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_seed app.posts;
  v_source_id uuid;
  v_page app.list_entry[];
begin
  perform app.require_scope(v_hub_id);
  v_seed := app.require_post((p_args ->> 'postId')::uuid);
  v_source_id := coalesce(v_seed.source_post_id, v_seed.id);
  v_page := array(
    select (frame.created_at, frame.id)::app.list_entry
    from (
      (
        select p.created_at, p.id
        from app.posts as p
        where p.id = v_source_id and (p.created_at, p.id) > (v_from.at, v_from.id)
      )
      union all
      (
        select p.created_at, p.id
        from app.posts as p
        where p.source_post_id = v_source_id and (p.created_at, p.id) > (v_from.at, v_from.id)
        order by p.created_at, p.id
        limit v_limit + 1
      )
    ) as frame
    order by frame.created_at, frame.id
    limit v_limit + 1
  );
  return json_object(
    'items': app.seen_cards(array(select entry.id from unnest(v_page[:v_limit]) as entry), v_hub_id),
    'nextCursor': app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_frames is 'GET /posts/{postId}/frames (docs/product.md PO8).';
grant execute on function api.list_frames to anon, authenticated;

-- Lists the saved posts of the caller, last saved first.
--
-- Args: cursor, limit. Returns items (cards) and nextCursor.
create function api.list_saved_posts(jsonb) returns json
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 20, 50);
  v_list text := app.list_of('list_saved_posts', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(2);
  v_page := array(
    select (s.saved_at, s.post_id)::app.list_entry
    from app.saved_posts as s
    join app.posts as p on p.id = s.post_id
    where s.user_id = app.user_id() and (s.saved_at, s.post_id) < (v_from.at, v_from.id)
    order by s.saved_at desc, s.post_id desc
    limit v_limit + 1
  );
  return json_object(
    'items': app.seen_cards(array(select entry.id from unnest(v_page[:v_limit]) as entry)),
    'nextCursor': app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_saved_posts is 'GET /users/me/saved-posts (docs/product.md PO19).';
grant execute on function api.list_saved_posts to authenticated;
