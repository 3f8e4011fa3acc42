select plan(16);

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
select tests.act_as_guest();
select results_eq('select bucket_id from storage.objects', array['theirs'], 'a guest sees nothing in our buckets');
select throws_ok(format('select pg_temp.put(%L)', bucket), '42501', null, 'a guest puts nothing into ' || bucket)
from unnest(array['uploads', 'photos', 'media']) as bucket;
select lives_ok($$ select pg_temp.put('theirs') $$, 'a guest puts an object into a bucket of another app');
select tests.act_as('maya');
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
select tests.act_as('maya');
select is_empty('select from storage.objects', 'without a policy of another app a member sees no object');
select throws_ok($$ select pg_temp.put('theirs') $$, '42501', null, 'without a policy of another app a member puts no object');
select tests.act_as_guest();
select is_empty('select from storage.objects', 'without a policy of another app a guest sees no object');

select * from finish();
