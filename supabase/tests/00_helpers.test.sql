-- Loads what the tests share. pg_prove and `supabase test db` run this file first, and its schema stays.
drop schema if exists tests cascade;
\ir _helpers/10_tests.psql
\ir _helpers/20_people.psql
\ir _helpers/30_callers.psql
\ir _helpers/40_posts.psql
\ir _helpers/50_catalogue.psql
\ir _helpers/60_codes.psql
\ir _helpers/70_belongings.psql
\ir _helpers/80_staff.psql
\ir _helpers/85_relations.psql
\ir _helpers/90_uploads.psql
\ir _helpers/94_notifications.psql
\ir _helpers/95_hubs.psql
\ir _helpers/96_discussions.psql
\ir _helpers/97_activity.psql
\ir _helpers/98_feeds.psql
\ir _helpers/99_votes.psql

begin;
select plan(1);

select has_schema('tests', 'the helpers of the tests are loaded');

select * from finish();
rollback;
