create function api.list_frames(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_limit integer := app.page_size(p_args, 20, 50);
  v_from app.list_entry := app.first_entry(p_args ->> 'cursor');
  v_seed app.posts := app.require_post((p_args ->> 'postId')::uuid);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_source_id uuid := coalesce(v_seed.source_post_id, v_seed.id);
  v_page app.list_entry[];
begin
  perform app.require_scope(v_hub_id);
  v_page := array(
    select (frame.created_at, frame.id)::app.list_entry
    from (
      (select p.created_at, p.id from app.posts as p where p.id = v_source_id and (p.created_at, p.id) > (v_from.at, v_from.id))
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
  return jsonb_build_object(
    'items', app.listed_posts(array(select entry.id from unnest(v_page[:v_limit]) as entry), null, v_hub_id),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_frames(jsonb) is 'GET /posts/{postId}/frames (spec.md E). Takes postId, cursor, limit and, for their votes in a Hub, hubId; answers items (cards of the original and its reposts that the caller may see), oldest first, and nextCursor. Raises POST_NOT_FOUND, also for a post hidden from the caller, VALIDATION_FAILED for a foreign cursor, and FORBIDDEN for a Hub that the caller is no active member of.';

revoke all on function api.list_frames(jsonb) from public;
grant execute on function api.list_frames(jsonb) to anon, authenticated;
