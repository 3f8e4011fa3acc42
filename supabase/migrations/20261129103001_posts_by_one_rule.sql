-- Statements that began before the last migration insert posts in a way that this policy refuses: wait for their end,
-- where a service runs.
set local lock_timeout = '5s';
set local statement_timeout = '60s';

select pg_sleep(10)
where exists (select from pg_stat_activity as a where a.datname = current_database() and a.usename like 'opine\_%');
alter policy posts_select on app.posts using (app.sees_post(id));
comment on policy posts_select on app.posts is 'Shows the posts that the caller may see (app.seen_posts).';
