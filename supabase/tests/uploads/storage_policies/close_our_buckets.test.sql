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
select throws_ok(format('select pg_temp.put(%L)', bucket), '42501', null, 'and puts nothing into ' || bucket)
from unnest(array['uploads', 'photos', 'media']) as bucket;
select lives_ok($$ select pg_temp.put('theirs') $$, 'into another they may');
select tests.act_as('maya');
select set_eq('select bucket_id from storage.objects', array['theirs'], 'a member sees nothing in our buckets');
select throws_ok(format('select pg_temp.put(%L)', bucket), '42501', null, 'and puts nothing into ' || bucket)
from unnest(array['uploads', 'photos', 'media']) as bucket;
select throws_ok(
  format('update storage.objects set bucket_id = %L', bucket), '42501', null, 'nor moves what is elsewhere into ' || bucket
)
from unnest(array['uploads', 'photos', 'media']) as bucket;
update storage.objects set name = 'renamed';
delete from storage.objects;
reset role;
select set_eq(
  'select bucket_id, name from storage.objects', $$ values ('uploads', 'file'), ('photos', 'file'), ('media', 'file') $$,
  'what lies there nobody changes or removes; what lies elsewhere they may'
);
drop policy everything_is_open on storage.objects;
insert into storage.objects (bucket_id, name) values ('theirs', 'file');
select tests.act_as('maya');
select is_empty('select from storage.objects', 'our policy opens nothing');
select throws_ok($$ select pg_temp.put('theirs') $$, '42501', null, 'to anybody');
select tests.act_as_guest();
select is_empty('select from storage.objects', 'a guest neither');

select * from finish();
