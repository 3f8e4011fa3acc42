-- Apart from its table, since posts refer to articles and this policy refers to posts.
create policy articles_select on app.articles for select to anon, authenticated
using (
  -- One's own need no look at any post.
  author_id = (select app.user_id()) or exists (select from app.posts as p where p.article_id = articles.id)
);
