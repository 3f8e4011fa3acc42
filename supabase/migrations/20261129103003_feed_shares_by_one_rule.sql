set local lock_timeout = '5s';
set local statement_timeout = '60s';

alter policy feed_shares_select on app.feed_shares to authenticated using (user_id = (select app.user_id()));
alter policy feed_shares_insert on app.feed_shares
with check (user_id = (select app.user_id()) and app.sees_post(post_id));
revoke select on app.feed_shares from anon;
