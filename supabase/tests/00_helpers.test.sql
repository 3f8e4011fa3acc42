-- Loads the shared helpers into schema tests. pg_prove and `supabase test db` run this file first.
drop schema if exists tests cascade;
\ir _helpers/10_base.psql
\ir _helpers/20_users.psql
\ir _helpers/30_sessions.psql
\ir _helpers/40_posts.psql
\ir _helpers/50_hubs.psql
\ir _helpers/60_votes.psql
\ir _helpers/70_feeds.psql
\ir _helpers/80_notifications.psql
\ir _helpers/90_staff.psql
\ir _helpers/95_catalogue.psql

begin;
select plan(1);

select has_schema('tests', 'the shared helpers are loaded');

select * from finish();
rollback;
