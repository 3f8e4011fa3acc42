begin;
select plan(25);
savepoint empty;

-- claim_expired_objects leases objects that are due.
select tests.person('maya');
select tests.stored_object('kept', 'maya');
select tests.stored_object('in time', 'maya', app.now() + interval '1 microsecond');
select tests.stored_object('due', 'maya', app.now());
select tests.stored_object('overdue', 'maya', app.now() - interval '2 hours');
insert into app.stored_objects (id, owner_id, bucket, expires_at)
values (tests.id('face'), tests.id('maya'), 'photos', app.now() - interval '1 hour');

-- Without indexes, only the query itself can order its rows.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
select results_eq(
  'select id, bucket from app.claim_expired_objects(1)', $$ values (tests.id('overdue'), 'media') $$,
  'claim_expired_objects takes the object first that is due longest'
);
select set_eq(
  'select id, bucket from app.claim_expired_objects(10)',
  $$ values (tests.id('face'), 'photos'), (tests.id('due'), 'media') $$,
  'claim_expired_objects takes all due objects that are not claimed yet'
);
select is_empty(
  'select from app.claim_expired_objects(10)', 'claim_expired_objects does not return a claimed object again'
);
select results_eq(
  $$
    select count(*), bool_and(expires_at - app.now() between interval '45 seconds' and interval '75 seconds')
    from app.stored_objects where attempt_count = 1
  $$,
  'values (3::bigint, true)', 'a first claim counts an attempt for each object and lasts about a minute'
);
select app.set_clock_offset('76 seconds');
select is(count(*)::integer, 4, 'claim_expired_objects returns objects again after their claim has expired')
from app.claim_expired_objects(10);
select is(max(attempt_count), 2, 'claim_expired_objects counts a second attempt') from app.stored_objects;
select is(
  expires_at, null,
  'claim_expired_objects never takes the object of an asset') from app.stored_objects where id = tests.id('kept'
);

rollback to empty;

-- dead_upload_keys returns keys that belong to no open upload.
select tests.person('maya');
select tests.open_upload(name, 'maya') from unnest(array['open', 'late', 'too late', 'done']) as name;
-- These ids have the lowest and the highest digit in every place.
insert into app.uploads (id, owner_id, purpose, content_type, size_bytes)
values
  ('00000000-0000-0000-0000-000000000000', tests.id('maya'), 'document', 'application/pdf', 1),
  ('ffffffff-ffff-ffff-ffff-ffffffffffff', tests.id('maya'), 'document', 'application/pdf', 1);
update app.uploads set expires_at = app.now() - interval '29.999999 seconds' where id = tests.id('late');
update app.uploads set expires_at = app.now() - interval '30 seconds' where id = tests.id('too late');
select tests.asset('picture', 'maya');
update app.uploads set asset_id = tests.id('picture') where id = tests.id('done');

select is(array(select app.dead_upload_keys(array[key])), case when is_dead then array[key] else '{}' end, title)
from (
  values
    (tests.id('open')::text, false, 'dead_upload_keys omits the key of an open upload'),
    (tests.id('late')::text, false, 'dead_upload_keys omits an upload that expired less than 30 seconds ago'),
    ('00000000-0000-0000-0000-000000000000', false, 'dead_upload_keys omits an open upload with the lowest id'),
    ('ffffffff-ffff-ffff-ffff-ffffffffffff', false, 'dead_upload_keys omits an open upload with the highest id'),
    (tests.id('too late')::text, true, 'dead_upload_keys returns an upload that expired 30 seconds ago'),
    (tests.id('done')::text, true, 'dead_upload_keys returns the key of a completed upload'),
    (tests.id('nothing')::text, true, 'dead_upload_keys returns a key of no upload'),
    ('folder/.keep', true, 'dead_upload_keys returns a key with a folder'),
    (upper(tests.id('open')::text), true, 'dead_upload_keys returns the key of an open upload in capitals'),
    (tests.id('open')::text || '0', true, 'dead_upload_keys returns the key of an open upload with a digit more'),
    ('', true, 'dead_upload_keys returns an empty key as dead')
) as c (key, is_dead, title);
select set_eq(
  $$ select app.dead_upload_keys(array[tests.id('open')::text, 'one', 'other']) $$, array['one', 'other'],
  'dead_upload_keys returns every dead key of several'
);

rollback to empty;

-- delete_objects deletes the rows of removed objects.
select tests.person('maya');
select tests.stored_object('removed', 'maya', app.now());
select tests.stored_object('failed', 'maya', app.now());
select tests.stored_object('asset since', 'maya');
select app.delete_objects(array[tests.id('removed'), tests.id('asset since'), tests.id('nothing')]);
select set_eq(
  'select id from app.stored_objects', array[tests.id('failed'), tests.id('asset since')],
  'delete_objects deletes the objects that it names, except the object of an asset'
);

rollback to empty;

-- delete_objects makes the account deletion of the owner due.
select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.stored_object('hers', 'maya', app.now());
select tests.stored_object('his', 'jonas', app.now());
select app.end_user(tests.id(name)) from unnest(array['maya', 'jonas']) as name;
update app.account_deletions set due_at = app.now() + interval '1 hour';
select app.delete_objects(array[tests.id('hers')]);
select is(
  app.claim_account_deletion(), tests.id('maya'), 'delete_objects makes the account deletion of the owner due at once'
);
select is(app.claim_account_deletion(), null, 'delete_objects does not make account deletions of other users due');
update app.account_deletions set due_at = app.now() - interval '1 hour' where user_id = tests.id('jonas');
select app.delete_objects(array[tests.id('his')]);
select is(due_at, app.now() - interval '1 hour', 'delete_objects does not postpone an account deletion that is due')
from app.account_deletions where user_id = tests.id('jonas');

rollback to empty;

-- prune_uploads deletes uploads that expired a day ago.
select tests.person('maya');
select tests.open_upload(name, 'maya') from unnest(array['open', 'late', 'old', 'done']) as name;
update app.uploads set expires_at = app.now() - interval '23:59:59' where id = tests.id('late');
update app.uploads set expires_at = app.now() - interval '1 day' where id in (tests.id('old'), tests.id('done'));
select tests.asset('picture', 'maya');
update app.uploads set asset_id = tests.id('picture') where id = tests.id('done');
select app.prune_uploads();
select set_eq(
  'select id from app.uploads', array[tests.id('open'), tests.id('late'), tests.id('done')],
  'prune_uploads deletes uploads that expired a day ago and were not completed'
);
select isnt_empty('select from app.assets', 'prune_uploads keeps the asset of a completed upload');

select * from finish();
rollback;
