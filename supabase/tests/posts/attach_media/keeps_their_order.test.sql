select plan(2);

select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.asset('second', 'maya');
select tests.article('hers', 'maya');
select tests.article('without', 'maya');
select tests.act_as('maya');
select app.attach_media(tests.id('hers'), array[tests.id('second'), tests.id('paper'), tests.id('picture')]);
select set_eq(
  'select place, asset_id from app.article_assets', $$ values (1, tests.id('second')), (2, tests.id('paper')), (3, tests.id('picture')) $$, 'as given'
);
select lives_ok($$ select app.attach_media(tests.id('without'), '{}') $$, 'or none');

select * from finish();
