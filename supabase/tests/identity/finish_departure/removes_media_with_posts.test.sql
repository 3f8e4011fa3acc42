select plan(3);

select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('loose', 'maya', 'document');
select tests.open_upload('done', 'maya');
update app.uploads set asset_id = tests.id('loose');
select tests.illustrated_post('trams', 'maya', 'picture');
select app.end_user(tests.id('maya'));
select is_empty('select tests.to_be_removed()', 'what its posts show is hidden with them') ;
select app.claim_departure();
select app.finish_departure(tests.id('maya')) from generate_series(1, 2);
select set_eq('select tests.to_be_removed()', array[tests.id('picture'), tests.id('loose')], 'and goes with them, as does what nobody saw');
select is_empty(
  'select from app.assets union all select from app.article_assets union all select from app.uploads', 'and what was known of it'
);

select * from finish();
