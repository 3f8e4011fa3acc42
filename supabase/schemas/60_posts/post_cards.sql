create function app.post_cards(p_post_ids uuid[])
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
      'article', case when a.id is not null then jsonb_build_object(
        'id', a.id, 'url', a.url, 'title', a.title, 'text', a.body,
        'media', case when a.media_count > 0 then app.article_media(a.id) else '[]' end
      ) end,
      'thoughtText', p.thought_text,
      'sliderText', p.slider_text,
      'slider', case when p.slider_text is not null then jsonb_build_object(
        'leftLabel', p.left_label, 'rightLabel', p.right_label
      ) end,
      'visibility', p.visibility,
      'hubs', case when p.visibility = 'public' then '[]' else app.card_hubs(p.id) end,
      'sourcePostId', null,
      'sourcePost', null,
      'isShareable', p.is_shareable,
      'commentCount', 0,
      'repostCount', 0,
      'viewerSaved', false
    ) || app.card_vote(p.slider_text is not null, r.voted_at, pool.totals)
  from app.posts as p
  left join app.profiles as author on author.user_id = p.author_id
  left join app.articles as a on a.id = p.article_id
  left join app.vote_receipts as r on r.post_id = p.id and r.user_id = (select app.user_id())
  left join lateral (select app.pool_totals(p.id) as totals where p.slider_text is not null) as pool on true
  where p.id = any (p_post_ids);
end
$$;
comment on function app.post_cards(uuid[]) is 'The cards (contract.md 7) of those of the posts that the caller may see, in one statement; their order is the caller''s to make. One plan serves every call: making one anew costs more than running it.';

revoke all on function app.post_cards(uuid[]) from public;
grant execute on function app.post_cards(uuid[]) to anon, authenticated;
