select plan(3);

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
