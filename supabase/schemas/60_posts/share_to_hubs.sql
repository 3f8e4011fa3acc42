create function api.share_to_hubs(jsonb)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_hub_ids uuid[];
  v_post app.posts;
  v_placed_in uuid[];
begin
  perform app.require_level(4);
  v_hub_ids := app.ids_argument(p_args, 'hubIds', 1, 20);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if not v_post.is_shareable then
    raise exception using errcode = 'PT409', message = 'POST_NOT_SHAREABLE';
  end if;
  v_placed_in := app.place_post(v_post.id, v_hub_ids, 'shared');
  update app.placements as p
  set last_shared_at = default
  where p.post_id = v_post.id and p.hub_id = any (v_hub_ids) and p.hub_id <> all (coalesce(v_placed_in, '{}'));
  if v_post.slider_text is not null then
    perform app.promote_pending(v_post.id, array(select jsonb_array_elements_text(app.items_argument(p_args, 'pendingVoteKeys', 0, 16))));
  end if;
  return jsonb_build_object('postId', v_post.id, 'hubs', (
    select jsonb_agg(jsonb_build_object(
      'hubId', p.hub_id, 'sharedAt', app.iso(p.placed_at), 'created', coalesce(p.hub_id = any (v_placed_in), false)
    ) order by asked.place)
    from unnest(v_hub_ids) with ordinality as asked (id, place)
    join app.placements as p on p.post_id = v_post.id and p.hub_id = asked.id
  ));
end
$$;
comment on function api.share_to_hubs(jsonb) is 'POST /posts/{postId}/share/hubs (spec.md F, contract.md 7). Takes postId, hubIds and, from the service, pendingVoteKeys; counts at once what is pending there; answers postId and, of each Hub, hubId, sharedAt (since when the post is there) and created; where it was there already, it moves up, unless the caller shared it there last. Raises UNAUTHORIZED, FORBIDDEN below level 4 and for a Hub that the caller is no active member of, POST_NOT_FOUND, POST_NOT_SHAREABLE.';

revoke all on function api.share_to_hubs(jsonb) from public;
grant execute on function api.share_to_hubs(jsonb) to authenticated;
