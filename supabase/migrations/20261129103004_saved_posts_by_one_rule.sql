set local lock_timeout = '5s';
set local statement_timeout = '60s';

alter policy saved_posts_insert on app.saved_posts
with check (user_id = (select app.user_id()) and app.sees_post(post_id));
