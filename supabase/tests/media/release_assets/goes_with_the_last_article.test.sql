select plan(6);

select tests.person('maya', 3);
select tests.asset(name, 'maya') from unnest(array['shared', 'one''s', 'other''s', 'face too', 'loose']) as name;
select tests.asset('paper', 'maya', 'document');
update app.profiles set photo_asset_id = tests.id('face too');
select tests.illustrated_post('one', 'maya', 'shared', 'one''s', 'paper', 'face too');
select tests.illustrated_post('other', 'maya', 'other''s', 'shared');

select tests.act_as('maya');
select api.delete_post(tests.arguments('one'));
reset role;
select set_eq(
  'select tests.to_be_removed()', array[tests.id('one''s'), tests.id('paper')], 'media of a deleted post go, but for what another post or a profile shows'
);
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('face too'), tests.id('loose')], 'and nothing else'
);
update app.profiles set photo_asset_id = null;
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('loose')], 'the photo goes when no profile shows it either'
);
update app.profiles set photo_asset_id = tests.id('other''s');
update app.profiles set photo_asset_id = null;
select set_eq(
  'select id from app.assets', array[tests.id('shared'), tests.id('other''s'), tests.id('loose')], 'and stays as long as an article does'
);
delete from app.posts;
select is(count(*)::integer, 3, 'an article that no post shows keeps its media') from app.assets;
delete from app.articles;
select set_eq('select id from app.assets', array[tests.id('loose')], 'with the last article all of them go');

select * from finish();
