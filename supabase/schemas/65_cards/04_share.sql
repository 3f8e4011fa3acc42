-- Places a post in Hubs and counts its pending votes there at once. A post that is there already moves up,
-- unless the caller was the last to share it there.
--
-- Args: postId, hubIds, pendingVoteKeys (from the service). Returns postId and hubs: for each hubId, sharedAt
-- (since when the post is there) and created.
create function api.share_to_hubs(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_hub_ids uuid[];
  v_post app.posts;
  v_placed_in uuid[];
  v_moved_count integer;
begin
  perform app.require_level(4);
  v_hub_ids := app.ids_argument(p_args, 'hubIds', 1, 20);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if not app.is_shareable(v_post) then
    raise exception using errcode = 'PT409', message = 'POST_NOT_SHAREABLE';
  end if;
  v_placed_in := app.insert_placements(v_post.id, v_hub_ids, 'shared');
  update app.placements as p
  set last_shared_at = default
  where p.post_id = v_post.id and p.hub_id = any (v_hub_ids) and p.hub_id <> all (coalesce(v_placed_in, '{}'));
  get diagnostics v_moved_count = row_count;
  if v_post.slider_text is not null then
    perform app.promote_pending(
      v_post.id, array(select jsonb_array_elements_text(app.items_argument(p_args, 'pendingVoteKeys', 0, 16)))
    );
  end if;
  perform app.use_limit('shares', coalesce(cardinality(v_placed_in), 0) + v_moved_count);
  return app.hub_shares_json(v_post.id, v_hub_ids, v_placed_in);
end
$$;
comment on function api.share_to_hubs is 'POST /posts/{postId}/share/hubs (docs/product.md PO21, PO22, V7).';
grant execute on function api.share_to_hubs to authenticated;

-- Returns in which of these Hubs the post is, as far as the caller is a member of them.
--
-- Args: p_created_in (the Hubs into which the share brought it; null for none).
create function app.hub_shares_json(p_post_id uuid, p_hub_ids uuid[], p_created_in uuid[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('postId', p_post_id, 'hubs', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'hubId', p.hub_id, 'sharedAt', app.iso(p.placed_at), 'created', coalesce(p.hub_id = any (p_created_in), false)
    ) order by requested.place), '[]')
    from unnest(p_hub_ids) with ordinality as requested (id, place)
    join app.placements as p on p.post_id = p_post_id and p.hub_id = requested.id
  ));
end
$$;
comment on function app.hub_shares_json is
  'Returns a share of a post into Hubs as it is now (docs/product.md PO21, PO22).';
grant execute on function app.hub_shares_json to authenticated;
