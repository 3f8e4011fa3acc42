-- A definer function, as app.seen_cards. Args: p_hub_id (null, or the Hub whose votes the card shows).
-- Errors: POST_NOT_FOUND.
create function app.post_detail(p_post_id uuid, p_hub_id uuid default null) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  return (app.cards_of(
    array[app.require_post(p_post_id)], array[p_post_id], p_hub_id, null, app.viewer_level(), true
  ))[1];
end
$$;
comment on function app.post_detail is
  'Returns the detail of a post that the caller may see: its card and permissions (docs/product.md PO16).';
grant execute on function app.post_detail to anon, authenticated;

-- Returns the cards of posts in the given order, without those that the caller may not see.
--
-- A definer function, because the rest of a card follows from its post, and under policies each table adds
-- subqueries to the plan. It forces a generic plan, because planning costs more than running.
--
-- Args: p_hub_id (null, or the Hub whose votes the cards show; see app.displayed_hub), p_shows_phone (false
-- where cards never have authorPhoneNumber).
create function app.seen_cards(
  p_post_ids uuid[], p_hub_id uuid default null, p_shows_phone boolean default true
) returns json[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  v_user_id uuid := app.user_id();
begin
  return app.cards_of(
    array(select p from unnest(p_post_ids) as wanted (id) join app.seen_posts(v_user_id) as p on p.id = wanted.id),
    p_post_ids, p_hub_id, null, null, p_shows_phone
  );
end
$$;
comment on function app.seen_cards is 'Returns cards of posts that the caller may see (docs/product.md PO15, PO17).';
grant execute on function app.seen_cards to anon, authenticated;

-- It trusts its posts, so definer functions alone call it. Votes and saved posts are those of the caller, by
-- their id: whoever sees a post sees its author and its article.
--
-- Args: p_posts (posts that the caller may see), p_contexts (null, or the feedContext of each post), p_level
-- (null, or the level of the caller, for the permissions of a detail), and as app.seen_cards.
create function app.cards_of(
  p_posts app.posts[], p_post_ids uuid[], p_hub_id uuid, p_contexts text[], p_level integer, p_shows_phone boolean
) returns json[]
language plpgsql stable
set search_path = ''
set plan_cache_mode = force_generic_plan
-- A plan made while the slots of votes are empty would scan them when they are full.
set enable_seqscan = off
as $$
declare
  v_user_id uuid := app.user_id();
  v_source_ids uuid[] := array(
    select distinct p.source_post_id from unnest(p_posts) as p where p.source_post_id is not null
  );
  v_sources app.posts[];
  -- The Hub that a card shows by itself (app.displayed_hub) is one of the caller with the post.
  v_counted_ids uuid[] := case when p_hub_id is not null then app.posts_in_my_hub(p_post_ids, p_hub_id) end;
begin
  if v_source_ids <> '{}' then
    v_sources := array(
      select p from unnest(v_source_ids) as source (id) join app.seen_posts(v_user_id) as p on p.id = source.id
    );
  end if;
  -- A key that stays without a value has the JSON null. Subqueries instead of joins: each join would pass all
  -- columns on.
  return array(
    select json_object(
      'id': p.id,
      'author': coalesce(
        (select app.user_lite(a) from app.profiles as a where a.user_id = p.author_id), app.user_lite(null)
      ),
      'createdAt': app.iso(p.created_at),
      'article': coalesce((select app.article_card(a) from app.articles as a where a.id = p.article_id), 'null'),
      'thoughtText': coalesce(to_json(p.thought_text), 'null'),
      'sliderText': coalesce(to_json(p.slider_text), 'null'),
      'slider': app.post_slider(p),
      'visibility': p.visibility,
      'hubs': (
        select coalesce(json_agg(json_object('id': h.id, 'name': h.name) order by t.placed_at, t.hub_id), '[]')
        from app.placements as t
        join app.my_hubs as mine on mine.hub_id = t.hub_id
        join app.hubs as h on h.id = t.hub_id and h.is_open
        where t.post_id = p.id
      ),
      'sourcePostId': coalesce(to_json(p.source_post_id), 'null'),
      'sourcePost': case when p.source_post_id is null then 'null'
        else app.source_card(p.source_post_id, v_sources) end,
      'isShareable': shareable.is_so,
      'commentCount': p.comment_count,
      'repostCount': p.repost_count,
      'viewerSaved': exists (select from app.saved_posts as s where s.post_id = p.id and s.user_id = v_user_id),
      'viewerVote': case when p.slider_text is null then 'null' else app.viewer_vote(receipt.voted_at) end,
      'voteScope': case when p.slider_text is null then 'null' else app.vote_scope(shown.hub_id) end,
      'voteSummary': case when p.slider_text is null then 'null' else app.vote_summary(votes) end,
      'voteDistribution': case when receipt.voted_at is not null then app.vote_distribution(votes) end,
      'authorPhoneNumber': case
        when p_shows_phone and not shareable.is_so then app.author_phone(p.id) ->> 'authorPhoneNumber'
      end,
      'feedContext': p_contexts[array_position(p_post_ids, p.id)],
      'permissions': case when p_level is not null then json_object(
        'canVote': p_level >= case when p.is_public then 2 else 4 end and p.slider_text is not null
          and receipt.voted_at is null
          and (p.is_public or app.earliest_hub(p.id) is not null),
        'canComment': p_level >= 2 and p.is_public,
        'canRepost': p_level >= case when p.is_public then 3 else 4 end and p.source_post_id is null
          and shareable.is_so,
        'canShareToFeed': p_level >= 2,
        'canShareToHubs': p_level >= 4 and shareable.is_so,
        'canDelete': coalesce(p.author_id = v_user_id, false)
      ) end
      absent on null returning json
    )
    from unnest(p_posts) as p
    cross join lateral (select app.is_shareable(p) as is_so offset 0) as shareable
    cross join lateral (
      select case when p.slider_text is not null then app.displayed_hub(p, p_hub_id) end as hub_id offset 0
    ) as shown
    left join app.vote_receipts as receipt on receipt.post_id = p.id and receipt.user_id = v_user_id
    left join lateral app.scope_totals(p.id, shown.hub_id) as votes
      on p.slider_text is not null and (v_counted_ids is null or p.id = any (v_counted_ids))
    order by array_position(p_post_ids, p.id)
  );
end
$$;
comment on function app.cards_of is 'Builds the cards of posts, for app.seen_cards and pages of feeds.';

-- Few posts have media, so a function of its own keeps these tables out of the plan of app.cards_of.
create function app.article_media(p_article_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(app.asset_media(a) || jsonb_build_object('altText', m.alt_text) order by m.place), '[]')
    from app.article_assets as m
    join app.assets as a on a.id = m.asset_id
    where m.article_id = p_article_id
  );
end
$$;
comment on function app.article_media is 'Returns the media of an article, in order (docs/product.md M7).';

create function app.article_card(p_article app.articles) returns json
language sql stable
return case when p_article.id is null then 'null'::json else json_object(
  'id': p_article.id, 'url': p_article.url, 'title': p_article.title, 'text': p_article.body,
  'media': case when p_article.media_count > 0 then app.article_media(p_article.id) else '[]' end
) end;
comment on function app.article_card is 'Returns an article as cards show it; the JSON null for a null row.';

-- Few posts are reposts, so a function of its own keeps originals out of the plan of app.cards_of.
create function app.source_card(p_post_id uuid, p_sources app.posts[]) returns json
language plpgsql stable set search_path = '' as $$
begin
  return coalesce(
    (
      select json_object(
        'article': app.article_card(article),
        'thoughtText': p.thought_text,
        'sliderText': p.slider_text,
        'slider': app.post_slider(p),
        'isShareable': app.is_shareable(p)
      )
      from unnest(p_sources) as p
      left join app.articles as article on article.id = p.article_id
      where p.id = p_post_id
    ),
    'null'
  );
end
$$;
comment on function app.source_card is
  'Returns what a repost shows of its original (docs/product.md PO6, PO7); the JSON null for an original that is not '
  'in p_sources, those that the caller may see.';

-- It is empty unless the post is locked and the caller and the author are members of its target Hub. A
-- definer function, because no policy shows phones.
create function app.author_phone(p_post_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_phone text;
begin
  select u.phone into v_phone
  from app.posts as p
  join app.placements as target on target.post_id = p.id and target.kind = 'targeted'
  join app.memberships as mine on mine.hub_id = target.hub_id and mine.user_id = app.user_id()
  join app.memberships as theirs on theirs.hub_id = target.hub_id and theirs.user_id = p.author_id
  join app.users as u on u.id = p.author_id
  where p.id = p_post_id and not app.is_shareable(p);
  return case when v_phone is not null then jsonb_build_object('authorPhoneNumber', v_phone) else '{}' end;
end
$$;
comment on function app.author_phone is
  'Returns authorPhoneNumber of a card as an object to merge into it (docs/product.md PO17).';
grant execute on function app.author_phone to anon, authenticated;
