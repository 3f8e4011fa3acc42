create function app.discussed_posts(p_discussion_ids uuid[])
returns setof app.discussed_post
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select
    d.id, p.author_id, p.thought_text, p.slider_text, a.title,
    exists (select from app.saved_discussions as s where s.discussion_id = d.id and s.user_id = app.user_id())
  from app.discussions as d
  join app.memberships as m on m.hub_id = d.hub_id and m.user_id = app.user_id()
  left join app.posts as p
    on p.id = d.post_id and not exists (select from app.users_hidden_from_all as h where h.user_id = p.author_id)
  left join app.articles as a on a.id = p.article_id
  where d.id = any (p_discussion_ids);
end
$$;
comment on function app.discussed_posts(uuid[]) is 'What those of the discussions are about that are in Hubs of the caller''s. It reads past blocks, which do not touch discussions (contract.md 6); the post of an author hidden from everybody is left empty.';

revoke all on function app.discussed_posts(uuid[]) from public;
grant execute on function app.discussed_posts(uuid[]) to authenticated;
