create function app.discussed_post(p_discussion_id uuid, out author_id uuid, out thought_text text, out slider_text text, out article_title text)
returns record
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  select p.author_id, p.thought_text, p.slider_text, a.title
  into author_id, thought_text, slider_text, article_title
  from app.discussions as d
  join app.memberships as m on m.hub_id = d.hub_id and m.user_id = app.user_id()
  join app.posts as p on p.id = d.post_id
  left join app.articles as a on a.id = p.article_id
  where d.id = p_discussion_id;
end
$$;
comment on function app.discussed_post(uuid) is 'What a discussion of a Hub of the caller''s is about. It reads past blocks, which do not touch discussions (contract.md 6).';

revoke all on function app.discussed_post(uuid) from public;
grant execute on function app.discussed_post(uuid) to authenticated;
