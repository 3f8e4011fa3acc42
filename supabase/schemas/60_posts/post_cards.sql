create function app.post_cards(p_post_ids uuid[], p_hub_id uuid default null)
returns table (post_id uuid, card jsonb)
language plpgsql
stable
security invoker
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select
    p.id,
    jsonb_build_object(
      'id', p.id,
      'author', app.user_lite(author),
      'createdAt', app.iso(p.created_at),
      'article', case when p.source_post_id is null then article.card end,
      'thoughtText', p.thought_text,
      'sliderText', p.slider_text,
      'slider', app.post_slider(p),
      'visibility', p.visibility,
      'hubs', coalesce(placed.hubs, '[]'),
      'sourcePostId', p.source_post_id,
      'sourcePost', app.source_card(source, article.card),
      'isShareable', p.is_shareable,
      'commentCount', p.comment_count,
      'repostCount', p.repost_count,
      'viewerSaved', saved.post_id is not null
    )
    || app.card_vote(p.slider_text is not null, receipt.voted_at, scope.hub_id, pool.totals)
    || case when not p.is_shareable then app.author_phone(p.id) else '{}' end
  from app.posts as p
  left join app.profiles as author on author.user_id = p.author_id
  left join app.posts as source on source.id = p.source_post_id
  left join lateral (
    select jsonb_build_object(
      'id', a.id, 'url', a.url, 'title', a.title, 'text', a.body,
      'media', case when a.media_count > 0 then app.article_media(a.id) else '[]' end
    ) as card
    from app.articles as a
    -- Under the policy of articles a coalesce could not be looked up by the index.
    where a.id = case when p.article_id is null then source.article_id else p.article_id end
  ) as article on true
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name) order by t.placed_at, t.hub_id) as hubs
    from app.placements as t
    join app.hubs as h on h.id = t.hub_id
    where t.post_id = p.id
  ) as placed on true
  cross join lateral (
    select case when p.slider_text is not null then app.displayed_hub(p, p_hub_id) end as hub_id offset 0
  ) as scope
  left join lateral (
    select app.pool_totals(p.id, scope.hub_id) as totals offset 0
  ) as pool on p.slider_text is not null
  left join app.vote_receipts as receipt on receipt.post_id = p.id and receipt.user_id = (select app.user_id())
  left join app.saved_posts as saved on saved.post_id = p.id and saved.user_id = (select app.user_id())
  where p.id = any (p_post_ids);
end
$$;
comment on function app.post_cards(uuid[], uuid) is 'The cards (contract.md 7) of those of the posts that the caller may see, in one statement, with the votes of a Hub where p_hub_id is one (app.displayed_hub); their order is the caller''s to make. One plan serves every call: making one anew costs more than running it.';

revoke all on function app.post_cards(uuid[], uuid) from public;
grant execute on function app.post_cards(uuid[], uuid) to anon, authenticated;
