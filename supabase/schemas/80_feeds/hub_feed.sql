create function app.hub_feed(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid := p_args ->> 'hubId';
  v_limit integer := app.page_size(p_args, 20, 50);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_page app.list_entry[];
  v_ids uuid[];
begin
  v_page := array(
    select (p.placed_at, p.post_id)::app.list_entry
    from app.placements as p
    join app.posts as post on post.id = p.post_id
    where p.hub_id = v_hub_id and (p.placed_at, p.post_id) < (v_from.at, v_from.id)
    order by p.placed_at desc, p.post_id desc
    limit v_limit + 1
  );
  v_ids := array(select entry.id from unnest(v_page[:v_limit]) as entry);
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(c.card || '{"feedContext": "joined_hub_post"}' order by entry.place), '[]')
      from unnest(v_ids) with ordinality as entry (id, place)
      join app.post_cards(v_ids) as c on c.post_id = entry.id
    ),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function app.hub_feed(jsonb) is 'A page of the posts in a Hub of the caller''s that they may see: takes hubId, cursor, limit; answers items (cards), last placed first, and nextCursor. Raises VALIDATION_FAILED for a foreign cursor.';

revoke all on function app.hub_feed(jsonb) from public;
grant execute on function app.hub_feed(jsonb) to authenticated;
