begin;
select plan(26);
savepoint empty;

-- claim_expired_objects: leases what is due
select tests.person('maya');
select tests.stored_object('kept', 'maya');
select tests.stored_object('in time', 'maya', app.now() + interval '1 microsecond');
select tests.stored_object('due', 'maya', app.now());
select tests.stored_object('overdue', 'maya', app.now() - interval '2 hours');
insert into app.stored_objects (id, owner_id, bucket, expires_at)
values (tests.id('face'), tests.id('maya'), 'photos', app.now() - interval '1 hour');

-- No index lends an order that is not asked for.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
select results_eq(
  'select id, bucket from app.claim_expired_objects(1)', $$ values (tests.id('overdue'), 'media') $$, 'what has waited longest is first'
);
select set_eq(
  'select id, bucket from app.claim_expired_objects(10)',
  $$ values (tests.id('face'), 'photos'), (tests.id('due'), 'media') $$, 'then all that is due, and each once'
);
select is_empty('select from app.claim_expired_objects(10)', 'nobody else gets it');
select ok(
  bool_and(expires_at - app.now() between interval '45 seconds' and interval '75 seconds'), 'for about a minute'
)
from app.stored_objects where attempt_count = 1;
select is(count(*)::integer, 3, 'each try is counted') from app.stored_objects where attempt_count = 1;
select app.set_clock_offset('76 seconds');
select is(count(*)::integer, 4, 'then a worker that died is followed by another') from app.claim_expired_objects(10);
select is(max(attempt_count), 2, 'and the tries are counted on') from app.stored_objects;
select is(expires_at, null, 'what is an asset is never taken') from app.stored_objects where id = tests.id('kept');
select set_eq($$ select tests.who_may('select app.claim_expired_objects(1)') $$, array['opine_worker'], 'by nobody but the worker');

rollback to empty;

-- dead_upload_keys: belong to no open upload
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

rollback to empty;

-- forget_objects: forgets what was removed
select tests.person('maya');
select tests.stored_object('removed', 'maya', app.now());
select tests.stored_object('failed', 'maya', app.now());
select tests.stored_object('asset since', 'maya');
select app.forget_objects(array[tests.id('removed'), tests.id('asset since'), tests.id('nothing')]);
select set_eq(
  'select id from app.stored_objects', array[tests.id('failed'), tests.id('asset since')],
  'what the worker names, unless it was never to be removed'
);
select lives_ok($$ select app.forget_objects('{}') $$, 'it may be nothing');
select is(count(*)::integer, 2, 'then all is remembered') from app.stored_objects;
select set_eq($$ select tests.who_may('select app.forget_objects(null)') $$, array['opine_worker'], 'nobody but the worker forgets');

rollback to empty;

-- forget_objects: makes a departure due
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.stored_object('hers', 'maya', app.now());
select tests.stored_object('his', 'jonas', app.now());
select app.end_user(tests.id(name)) from unnest(array['maya', 'jonas']) as name;
update app.account_deletions set due_at = app.now() + interval '1 hour';
select app.forget_objects(array[tests.id('hers')]);
select is(app.claim_account_deletion(), tests.id('maya'), 'whose objects are gone may be done');
select is(app.claim_account_deletion(), null, 'others wait on');
update app.account_deletions set due_at = app.now() - interval '1 hour' where user_id = tests.id('jonas');
select app.forget_objects(array[tests.id('his')]);
select is(due_at, app.now() - interval '1 hour', 'and nobody waits longer for it') from app.account_deletions where user_id = tests.id('jonas');

rollback to empty;

-- prune_uploads: forgets after a day
select tests.person('maya');
select tests.open_upload(name, 'maya') from unnest(array['open', 'late', 'old', 'done']) as name;
update app.uploads set expires_at = app.now() - interval '23:59:59' where id = tests.id('late');
update app.uploads set expires_at = app.now() - interval '1 day' where id in (tests.id('old'), tests.id('done'));
select tests.asset('picture', 'maya');
update app.uploads set asset_id = tests.id('picture') where id = tests.id('done');
select app.prune_uploads();
select set_eq(
  'select id from app.uploads', array[tests.id('open'), tests.id('late'), tests.id('done')], 'what expired a day ago, and was not completed'
);
select isnt_empty('select from app.assets', 'no asset goes with it');
select set_eq($$ select tests.who_may('select app.prune_uploads()') $$, array['opine_worker'], 'the worker alone prunes');

select * from finish();
rollback;
