begin;
select plan(25);
savepoint empty;

-- create_platform_policies: can run again
select lives_ok('select app.create_platform_policies()', 'a second run finds the policies and changes nothing');
drop policy opine_buckets_are_closed on storage.objects;
select app.create_platform_policies();
select policies_are('storage', 'objects', array['opine_buckets_are_closed'], 'a run creates a missing policy');
select tests.authenticate_as_guest();
select throws_ok('select app.create_platform_policies()', '42501', null, 'nobody but the owner runs it');

rollback to empty;

-- create_platform_policies: closes our buckets
-- On Supabase the schema is this role's, as whom the reference of an object to its bucket is checked.
grant usage on schema storage to supabase_storage_admin;
insert into storage.buckets (id, name) values ('uploads', 'uploads'), ('photos', 'photos'), ('media', 'media'), ('theirs', 'theirs')
on conflict do nothing;
insert into storage.objects (bucket_id, name) select id, 'file' from storage.buckets;

-- As open as another part of the project may make it.
create policy everything_is_open on storage.objects for all to anon, authenticated using (true) with check (true);

create function pg_temp.put(p_bucket text)
returns void
language sql
as $$ insert into storage.objects (bucket_id, name) values (p_bucket, 'another') $$;

select tests.person('maya');
select tests.authenticate_as_guest();
select results_eq('select bucket_id from storage.objects', array['theirs'], 'a guest sees nothing in our buckets');
select throws_ok(format('select pg_temp.put(%L)', bucket), '42501', null, 'a guest puts nothing into ' || bucket)
from unnest(array['uploads', 'photos', 'media']) as bucket;
select lives_ok($$ select pg_temp.put('theirs') $$, 'a guest puts an object into a bucket of another app');
select tests.authenticate_as('maya');
select set_eq('select bucket_id from storage.objects', array['theirs'], 'a member sees nothing in our buckets');
select throws_ok(format('select pg_temp.put(%L)', bucket), '42501', null, 'a member puts nothing into ' || bucket)
from unnest(array['uploads', 'photos', 'media']) as bucket;
select throws_ok(
  format('update storage.objects set bucket_id = %L', bucket), '42501', null, 'a member moves no object of another bucket into ' || bucket
)
from unnest(array['uploads', 'photos', 'media']) as bucket;
update storage.objects set name = 'renamed';
delete from storage.objects;
reset role;
select set_eq(
  'select bucket_id, name from storage.objects', $$ values ('uploads', 'file'), ('photos', 'file'), ('media', 'file') $$,
  'a member changes and removes objects of other buckets alone'
);
drop policy everything_is_open on storage.objects;
insert into storage.objects (bucket_id, name) values ('theirs', 'file');
select tests.authenticate_as('maya');
select is_empty('select from storage.objects', 'without a policy of another app a member sees no object');
select throws_ok($$ select pg_temp.put('theirs') $$, '42501', null, 'without a policy of another app a member puts no object');
select tests.authenticate_as_guest();
select is_empty('select from storage.objects', 'without a policy of another app a guest sees no object');

rollback to empty;

-- create_platform_policies: lets members hear their own channel
select tests.person('maya'), tests.person('jonas');
select tests.session('maya');
select tests.notification('hers', 'maya', p_actor => 'jonas'), tests.notification('his', 'jonas', p_actor => 'maya');
delete from realtime.messages;
select app.publish_signals('00000000-0000-0000-0000-000000000000', 10, 0);
insert into realtime.messages (topic, extension, event) values ('user:' || tests.id('maya'), 'presence', 'here');
create function pg_temp.hears(p_topic text)
returns bigint
language plpgsql
as $$
begin
  perform set_config('realtime.topic', p_topic, true);
  return (select count(*) from realtime.messages where topic = p_topic);
end
$$;

select tests.authenticate_as('maya');
select is(pg_temp.hears('user:' || tests.id('maya')), 1::bigint, 'a member hears broadcasts on their own channel, and no presence');
select is(pg_temp.hears('user:' || tests.id('jonas')), 0::bigint, 'a member hears nothing on the channel of another person');
select throws_ok(
  $$ insert into realtime.messages (topic, extension, event) values ('user:' || tests.id('maya'), 'broadcast', 'notification') $$, '42501', null, 'a member sends nothing, not on their own channel either'
);
select tests.authenticate_as_guest();
select is(pg_temp.hears('user:' || tests.id('maya')), 0::bigint, 'a guest hears nothing on the channel of a member');
select tests.authenticate_as('maya');
reset role;
delete from app.sessions;
set local role authenticated;
select is(pg_temp.hears('user:' || tests.id('maya')), 0::bigint, 'a member whose session has ended hears nothing');
reset role;
select set_eq(
  $$ select polname::text collate "default", polcmd::text collate "default", polroles from pg_policy where polrelid = 'realtime.messages'::regclass $$,
  $$ values ('opine_people_hear_what_is_theirs', 'r', array['authenticated'::regrole::oid]) $$, 'the table has no other policy than ours'
);

select * from finish();
rollback;
