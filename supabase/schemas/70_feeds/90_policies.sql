create policy default_feed_users_select on app.default_feed_users for select to anon, authenticated using (true);
