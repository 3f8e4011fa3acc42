-- Apart from its table, since placements refer to posts and this policy refers to placements.
create policy posts_select on app.posts for select to anon, authenticated
using (
  author_id = (select app.user_id())
  or (
    (visibility in ('public', 'public_hub') or exists (select from app.placements as p where p.post_id = posts.id))
    and author_id not in (select h.user_id from app.hidden_users as h)
  )
);
comment on policy posts_select on app.posts is 'Post visibility, written once: whatever shows, counts or votes on a post reads it under this policy.';
