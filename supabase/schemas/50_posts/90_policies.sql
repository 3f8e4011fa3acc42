create policy posts_insert on app.posts for insert to authenticated
with check (author_id = (select app.user_id()) and (source_post_id is null or app.may_repost(source_post_id)));

create policy posts_delete on app.posts for delete to authenticated
using (author_id = (select app.user_id()));

create policy posts_select on app.posts for select to anon, authenticated
using (app.sees_post(id));

comment on policy posts_select on app.posts is 'Shows the posts that the caller may see (app.seen_posts).';

create policy placements_select on app.placements for select to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine));

create policy placements_insert on app.placements for insert to authenticated
with check (
  placed_by = (select app.user_id())
  and hub_id in (select mine.hub_id from app.my_hubs as mine)
  and app.may_place(post_id, kind)
);

create policy placements_update on app.placements for update to authenticated
using (hub_id in (select mine.hub_id from app.my_hubs as mine))
with check (hub_id in (select mine.hub_id from app.my_hubs as mine) and app.may_place(post_id, 'shared'));

create policy articles_insert on app.articles for insert to authenticated
with check (author_id = (select app.user_id()));

create policy articles_delete on app.articles for delete to authenticated
using (author_id = (select app.user_id()));

-- Follows all tables, because it reads app.posts, which refers to app.articles.
create policy articles_select on app.articles for select to anon, authenticated
using (
  -- Spares authors the look-up of a post.
  author_id = (select app.user_id()) or exists (select from app.posts as p where p.article_id = articles.id)
);

create policy article_assets_select on app.article_assets for select to anon, authenticated
using (exists (select from app.articles as a where a.id = article_assets.article_id));

create policy article_assets_insert on app.article_assets for insert to authenticated
with check (
  exists (select from app.articles as a where a.id = article_assets.article_id and a.author_id = (select app.user_id()))
  and app.owns_asset(asset_id)
);

create policy feed_shares_select on app.feed_shares for select to authenticated
using (user_id = (select app.user_id()));

create policy feed_shares_insert on app.feed_shares for insert to authenticated
with check (user_id = (select app.user_id()) and app.sees_post(post_id));

create policy feed_shares_update on app.feed_shares for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));

create policy saved_posts_select on app.saved_posts for select to authenticated
using (user_id = (select app.user_id()));

create policy saved_posts_insert on app.saved_posts for insert to authenticated
with check (user_id = (select app.user_id()) and app.sees_post(post_id));

create policy saved_posts_delete on app.saved_posts for delete to authenticated
using (user_id = (select app.user_id()));
