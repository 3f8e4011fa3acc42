create view app.own_frames with (security_invoker = true) as
select
  p.id,
  p.source_post_id is not null as is_repost,
  p.created_at,
  jsonb_build_object(
    'id', p.id,
    'sourcePostId', p.source_post_id,
    'article', case when a.id is not null then jsonb_build_object(
      'url', a.url,
      'title', a.title,
      'text', a.body,
      'assetIds', case
        when a.media_count > 0 then array(select m.asset_id from app.article_assets as m where m.article_id = a.id order by m.place)
        else '{}'
      end
    ) end,
    'thoughtText', p.thought_text,
    'sliderText', p.slider_text,
    'slider', app.post_slider(p),
    'visibility', p.visibility,
    'createdAt', app.iso(p.created_at)
  ) as item
from app.posts as p
left join app.articles as a on a.id = p.article_id and a.author_id = p.author_id
where p.author_id = (select app.user_id());
comment on view app.own_frames is 'Of the export: the caller''s frames, without what reposts are of. One statement for all: to begin one for each, under the policies of posts and articles, costs thirty times as much.';

grant select on app.own_frames to authenticated;
