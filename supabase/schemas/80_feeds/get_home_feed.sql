create function api.get_home_feed(p_args jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_limit integer := app.page_size(p_args, 20, 50);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_feed jsonb;
begin
  if p_args ->> 'hubId' is not null then
    if (app.standing_in((p_args ->> 'hubId')::uuid)).status <> 'member' then
      raise exception using errcode = 'PT403', message = 'FORBIDDEN';
    end if;
    perform app.require_member((p_args ->> 'hubId')::uuid);
    return app.hub_feed(p_args);
  end if;
  with candidates as materialized (
    select p.id, p.created_at, source.context
    from app.home_feed_sources() as source
    cross join lateral (
      select post.id, post.created_at
      from app.posts as post
      where post.author_id = source.author_id and (post.created_at, post.id) < (v_from.at, v_from.id)
      order by post.created_at desc, post.id desc
      limit v_limit + 1
    ) as p
    order by p.created_at desc, p.id desc
    limit v_limit + 1
  ),
  page as (
    select * from candidates order by created_at desc, id desc limit v_limit
  )
  select jsonb_build_object(
    'items', coalesce(jsonb_agg(
      c.card || jsonb_build_object('feedContext', page.context) order by page.created_at desc, page.id desc
    ), '[]'),
    'nextCursor', case when (select count(*) from candidates) > v_limit then (
      select app.encode_cursor(last.created_at, last.id) from page as last order by last.created_at, last.id limit 1
    ) end
  )
  into v_feed
  from page
  join app.post_cards(array(select page.id from page)) as c on c.post_id = page.id;
  return v_feed;
end
$$;
comment on function api.get_home_feed(jsonb) is 'GET /posts (spec.md "Home feed rules"), newest first. Takes cursor, limit and, for the posts of one Hub, hubId; answers items (cards with feedContext) and nextCursor. Raises VALIDATION_FAILED for a foreign cursor, and FORBIDDEN for a Hub that the caller is no active member of.';

revoke all on function api.get_home_feed(jsonb) from public;
grant execute on function api.get_home_feed(jsonb) to anon, authenticated;
