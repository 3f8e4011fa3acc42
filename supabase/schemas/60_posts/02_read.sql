create function api.get_post(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args jsonb := app.admit($1);
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_detail jsonb := app.post_detail((p_args ->> 'postId')::uuid, v_hub_id);
begin
  perform app.require_scope(v_hub_id);
  return v_detail;
end
$$;
comment on function api.get_post is 'GET /posts/{postId} (docs/product.md PO13-PO16). Returns the detail of a post. Args: postId, hubId (optional: show the votes of this Hub). Returns the detail (see app.post_detail). Errors: UNAUTHORIZED (ended session), POST_NOT_FOUND (also a post hidden from the caller), FORBIDDEN (non-member of hubId).';
grant execute on function api.get_post to anon, authenticated;

create function app.require_post(p_post_id uuid) returns app.posts
language plpgsql stable set search_path = '' as $$
declare
  v_post app.posts;
begin
  select * into v_post from app.posts as p where p.id = p_post_id;
  if v_post.id is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return v_post;
end
$$;
comment on function app.require_post is 'Returns a post that the caller may see. Raises POST_NOT_FOUND for any other.';
grant execute on function app.require_post to anon, authenticated;

create function app.post_detail(p_post_id uuid, p_hub_id uuid default null) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_card jsonb;
  v_is_repostable boolean;
  v_is_public boolean;
  v_level integer := app.viewer_level();
begin
  select c.card, c.is_repostable into v_card, v_is_repostable from app.post_cards(array[p_post_id], p_hub_id) as c;
  if v_card is null then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  v_is_public := v_card ->> 'visibility' <> 'private_locked_hub';
  return v_card || jsonb_build_object('permissions', jsonb_build_object(
    'canVote', v_level >= case when v_is_public then 2 else 4 end and (v_is_public or v_card -> 'hubs' <> '[]')
      and coalesce(v_card -> 'viewerVote' -> 'hasVoted' = 'false', false),
    'canComment', v_level >= 2 and v_is_public,
    'canRepost', v_level >= case when v_is_public then 3 else 4 end and v_is_repostable,
    'canShareToFeed', v_level >= 2,
    'canShareToHubs', v_level >= 4 and v_card -> 'isShareable' = 'true',
    'canDelete', coalesce(v_card -> 'author' ->> 'id' = app.user_id()::text, false)
  ));
end
$$;
comment on function app.post_detail is 'Returns the detail of a post that the caller may see: its card and permissions (docs/product.md PO16). Args: p_hub_id (null, or the Hub whose votes the card shows). Errors: POST_NOT_FOUND.';
grant execute on function app.post_detail to anon, authenticated;

create function app.post_cards(p_post_ids uuid[], p_hub_id uuid default null) returns table (post_id uuid, card jsonb, is_repostable boolean)
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return query
  with shown as materialized (
    select p as post, case when p.slider_text is not null then app.displayed_hub(p, p_hub_id) end as hub_id
    from app.posts as p
    where p.id = any (p_post_ids)
  )
  select
    (s.post).id,
    jsonb_build_object(
      'id', (s.post).id,
      'author', app.user_lite(author),
      'createdAt', app.iso((s.post).created_at),
      'article', article.card,
      'thoughtText', (s.post).thought_text,
      'sliderText', (s.post).slider_text,
      'slider', app.post_slider(s.post),
      'visibility', (s.post).visibility,
      'hubs', coalesce(placed.hubs, '[]'),
      'sourcePostId', (s.post).source_post_id,
      'sourcePost', case when (s.post).source_post_id is not null then app.source_card((s.post).source_post_id) end,
      'isShareable', (s.post).is_shareable,
      'commentCount', (s.post).comment_count,
      'repostCount', (s.post).repost_count,
      'viewerSaved', saved.post_id is not null
    )
    || app.card_vote((s.post).slider_text is not null, receipt.voted_at, s.hub_id, votes.totals)
    || case when not (s.post).is_shareable then app.author_phone((s.post).id) else '{}' end,
    app.is_repostable(s.post)
  from shown as s
  left join app.profiles as author on author.user_id = (s.post).author_id
  left join app.post_articles(p_post_ids) as article on article.post_id = (s.post).id
  left join app.scope_totals(array(select (t.post).id from shown as t), array(select t.hub_id from shown as t)) as votes
    on votes.post_id = (s.post).id and (s.post).slider_text is not null
  left join (
    select t.post_id, jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name) order by t.placed_at, t.hub_id) as hubs
    from app.placements as t
    join app.hubs as h on h.id = t.hub_id
    where t.post_id = any (p_post_ids)
    group by t.post_id
  ) as placed on placed.post_id = (s.post).id
  left join app.vote_receipts as receipt on receipt.post_id = (s.post).id and receipt.user_id = (select app.user_id())
  left join app.saved_posts as saved on saved.post_id = (s.post).id and saved.user_id = (select app.user_id());
end
$$;
comment on function app.post_cards is 'Returns the cards (docs/product.md PO15) of those posts that the caller may see and whether each can be reposted, in one statement and in no order. Args: p_hub_id (null, or the Hub whose votes the cards show; see app.displayed_hub). It forces a generic plan, because planning costs more than running.';
grant execute on function app.post_cards to anon, authenticated;

create function app.post_slider(p_post app.posts) returns jsonb
language sql stable
return case when p_post.slider_text is not null then jsonb_build_object(
  'leftLabel', p_post.left_label, 'rightLabel', p_post.right_label
) end;
comment on function app.post_slider is 'Returns the labels of the slider of a post (docs/product.md PO2); null without a slider.';
grant execute on function app.post_slider to anon, authenticated;

create function app.source_card(p_post_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'article', (select a.card from app.post_articles(array[p.id]) as a),
      'thoughtText', p.thought_text,
      'sliderText', p.slider_text,
      'slider', app.post_slider(p),
      'isShareable', p.is_shareable
    )
    from app.posts as p
    where p.id = p_post_id
  );
end
$$;
comment on function app.source_card is 'Returns what a repost shows of its original (docs/product.md PO6, PO7); null for an original that the caller may not see. Few posts are reposts, so a function of its own keeps the policy of the original out of the plan of app.post_cards.';
grant execute on function app.source_card to anon, authenticated;

create function app.author_phone(p_post_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_phone text;
begin
  select u.phone into v_phone
  from app.posts as p
  join app.placements as target on target.post_id = p.id
  join app.memberships as mine on mine.hub_id = target.hub_id and mine.user_id = app.user_id()
  join app.memberships as theirs on theirs.hub_id = target.hub_id and theirs.user_id = p.author_id
  join app.users as u on u.id = p.author_id
  where p.id = p_post_id and not p.is_shareable;
  return case when v_phone is not null then jsonb_build_object('authorPhoneNumber', v_phone) else '{}' end;
end
$$;
comment on function app.author_phone is 'Returns authorPhoneNumber of a card as an object to merge into it (docs/product.md PO17). It is empty unless the post is locked and the caller and the author are members of its Hub. A definer function, because no policy shows phones.';
grant execute on function app.author_phone to anon, authenticated;

create function app.post_articles(p_post_ids uuid[]) returns table (post_id uuid, card jsonb)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select p.id, jsonb_build_object(
    'id', a.id, 'url', a.url, 'title', a.title, 'text', a.body,
    'media', case when a.media_count > 0 then app.article_media(a.id) else '[]' end
  )
  from app.posts as p
  join app.articles as a on a.id = p.article_id
  where p.id = any (p_post_ids);
end
$$;
comment on function app.post_articles is 'Returns the articles of posts as cards show them. A definer function, because whoever sees a post sees its article: the caller must read the post under its policy, and the policy of app.articles would read it again.';
grant execute on function app.post_articles to anon, authenticated;

create function app.article_media(p_article_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(app.asset_media(a) || jsonb_build_object('altText', m.alt_text) order by m.place), '[]')
    from app.article_assets as m
    join app.assets as a on a.id = m.asset_id
    where m.article_id = p_article_id
  );
end
$$;
comment on function app.article_media is 'Returns the media of an article, in order (docs/product.md M7). Few posts have media, so a function of its own keeps these tables out of the plan of app.post_articles.';

create function app.is_repostable(p_post app.posts) returns boolean language sql stable
return p_post.source_post_id is null and p_post.is_shareable;
comment on function app.is_repostable is 'Returns whether a post that the caller sees can be reposted: an original, and shareable (docs/product.md PO4).';
grant execute on function app.is_repostable to anon, authenticated;

create function app.may_repost(p_post_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from app.posts as p where p.id = p_post_id and app.is_repostable(p));
end
$$;
comment on function app.may_repost is 'Returns whether the caller sees the post and it can be reposted (app.is_repostable). The policy of app.posts needs a function, because it cannot query its own table.';
grant execute on function app.may_repost to anon, authenticated;

create function app.may_place(p_post_id uuid, p_kind app.placement_kind) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from app.posts as p
    where p.id = p_post_id and case p_kind
      when 'targeted' then p.author_id = app.user_id() and not exists (select from app.placements as t where t.post_id = p.id)
      else p.is_shareable
    end
  );
end
$$;
comment on function app.may_place is 'Returns whether the caller may place a post in a Hub. targeted: their own post, all targets in one statement; shared: any shareable post that they see. The policy of app.placements needs a function, because the policy of app.posts queries app.placements.';
grant execute on function app.may_place to authenticated;

create function api.list_frames(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
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
    'items', app.posts_json(array(select entry.id from unnest(v_page[:v_limit]) as entry), null, v_hub_id),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function api.list_frames is 'GET /posts/{postId}/frames (docs/product.md PO8). Lists the original of a post and its reposts that the caller may see, oldest first. Args: postId, cursor, limit, hubId (optional: show the votes of this Hub). Returns items (cards) and nextCursor. Errors: UNAUTHORIZED (ended session), POST_NOT_FOUND (also a post hidden from the caller), VALIDATION_FAILED (foreign cursor), FORBIDDEN (non-member of hubId).';
grant execute on function api.list_frames to anon, authenticated;

create function app.posts_json(p_post_ids uuid[], p_contexts text[] default null, p_hub_id uuid default null)
returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(
      case when p_contexts is null then c.card else c.card || jsonb_build_object('feedContext', p_contexts[listed.place]) end
      order by listed.place
    ), '[]')
    from unnest(p_post_ids) with ordinality as listed (id, place)
    join app.post_cards(p_post_ids, p_hub_id) as c on c.post_id = listed.id
  );
end
$$;
comment on function app.posts_json is 'Returns the cards of posts in the given order, without those that the caller may not see. Args: p_contexts (null, or the feedContext of each post), p_hub_id (null, or the Hub whose votes the cards show).';
grant execute on function app.posts_json to anon, authenticated;

create function api.get_share_link(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_post app.posts;
begin
  perform app.require_level(2);
  v_post := app.require_post((p_args ->> 'postId')::uuid);
  if not v_post.is_shareable then
    raise exception using errcode = 'PT409', message = 'POST_NOT_SHAREABLE';
  end if;
  return jsonb_build_object('postId', v_post.id);
end
$$;
comment on function api.get_share_link is 'GET /posts/{postId}/share-link (docs/product.md PO23). Checks that a post may have a share link. Args: postId. Returns postId, from which the service makes the link. Errors: UNAUTHORIZED, FORBIDDEN (below level 2), POST_NOT_FOUND, POST_NOT_SHAREABLE.';
grant execute on function api.get_share_link to authenticated;
