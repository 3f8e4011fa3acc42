create view staff.reports with (security_invoker = true) as
select
  r.id, r.state, r.reason, r.details, r.created_at, r.reporter_id,
  case
    when r.user_id is not null then 'user'
    when r.post_id is not null then 'post'
    when r.comment_id is not null then 'comment'
    when r.message_id is not null then 'message'
    else 'hub'
  end as target_kind,
  r.target_id,
  coalesce(r.user_id, p.author_id, c.author_id, m.author_id) as author_id,
  coalesce(author.username, h.name) as target_name,
  coalesce(concat_ws(' / ', a.url, a.title, a.body, p.thought_text, p.slider_text), '') || coalesce(c.body, m.body, author.bio, h.description, '') as content
from app.reports as r
left join app.posts as p on p.id = r.post_id
left join app.articles as a on a.id = p.article_id
left join app.comments as c on c.id = r.comment_id
left join app.messages as m on m.id = r.message_id
left join app.hubs as h on h.id = r.hub_id
left join app.profiles as author on author.user_id = coalesce(r.user_id, p.author_id, c.author_id, m.author_id);
comment on view staff.reports is 'What people have reported, and what it says: empty where it is gone. Of posts, comments and messages staff sees those that somebody has reported, and no others.';

grant select on staff.reports to staff_moderator;
