select plan(7);

select tests.person('maya');
select tests.open_upload(name, 'maya') from unnest(array['open', 'late', 'too late', 'done']) as name;
-- Of every digit, and each in every place.
insert into app.uploads (id, owner_id, purpose, content_type, size_bytes)
values
  ('00000000-0000-0000-0000-000000000000', tests.id('maya'), 'document', 'application/pdf', 1),
  ('ffffffff-ffff-ffff-ffff-ffffffffffff', tests.id('maya'), 'document', 'application/pdf', 1);
update app.uploads set expires_at = app.now() - interval '29.999999 seconds' where id = tests.id('late');
update app.uploads set expires_at = app.now() - interval '30 seconds' where id = tests.id('too late');
select tests.asset('picture', 'maya');
update app.uploads set asset_id = tests.id('picture') where id = tests.id('done');

create function pg_temp.dead(variadic p_keys text[])
returns setof text
language sql
as $$ select app.dead_upload_keys(p_keys) $$;

select is_empty(
  $$ select pg_temp.dead(tests.id('open')::text, tests.id('late')::text) $$, 'what is open is not dead, nor what came in time and is looked at'
);
select is_empty(
  $$ select pg_temp.dead('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff') $$, 'whatever its id'
);
select is(pg_temp.dead(tests.id('too late')::text), tests.id('too late')::text, 'what came too late is');
select is(pg_temp.dead(tests.id('done')::text), tests.id('done')::text, 'and what is done');
select set_eq(
  $$ select pg_temp.dead(tests.id('nothing')::text, 'folder/.keep', upper(tests.id('open')::text), tests.id('open')::text || '0', '') $$,
  $$ values (tests.id('nothing')::text), ('folder/.keep'), (upper(tests.id('open')::text)), (tests.id('open')::text || '0'), ('') $$,
  'and every key that nobody was given'
);
select is_empty($$ select app.dead_upload_keys('{}') $$, 'of none, none');
select set_eq($$ select tests.who_may('select app.dead_upload_keys(null)') $$, array['opine_worker'], 'the worker alone asks');

select * from finish();
