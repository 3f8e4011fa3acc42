create function api.get_hub_votes(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args jsonb := app.admit($1);
  v_post_id uuid := (app.require_slider((p_args ->> 'postId')::uuid)).id;
  v_items jsonb;
begin
  if app.user_id() is not null then
    select jsonb_agg(
      jsonb_build_object(
        'hub', jsonb_build_object('id', h.id, 'name', h.name),
        'summary', app.vote_summary(pool.totals),
        'distribution', app.vote_distribution(pool.totals)
      )
      order by t.placed_at, t.hub_id
    )
    into v_items
    from app.placements as t
    join app.hubs as h on h.id = t.hub_id
    cross join lateral (select app.pool_totals(t.post_id, t.hub_id) as totals offset 0) as pool
    where t.post_id = v_post_id;
  end if;
  return jsonb_build_object('postId', v_post_id, 'items', coalesce(v_items, '[]'));
end
$$;
comment on function api.get_hub_votes(jsonb) is 'GET /posts/{postId}/vote/hubs (spec.md F). Takes postId; answers postId and items (hub, summary, distribution), one for each Hub of the caller''s where the post is, in the order of its card. Raises POST_NOT_FOUND, POST_NOT_VOTABLE.';

revoke all on function api.get_hub_votes(jsonb) from public;
grant execute on function api.get_hub_votes(jsonb) to anon, authenticated;
