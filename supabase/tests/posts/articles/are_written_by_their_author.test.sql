select plan(5);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.article('of jonas', 'jonas');
select tests.act_as('maya');
select lives_ok($$ insert into app.articles (author_id, title) values (tests.id('maya'), 'Trams') $$, 'one writes as oneself');
select throws_ok(
  $$ insert into app.articles (author_id, title) values (tests.id('jonas'), 'Trams') $$,
  '42501', 'new row violates row-level security policy for table "articles"', 'and as nobody else'
);
select throws_ok($$ update app.articles set title = 'Bikes' $$, '42501', null, 'nobody changes an article');
delete from app.articles;
reset role;
select results_eq('select title from app.articles', array['of jonas'], 'one deletes one''s own');
select tests.act_as_guest();
select throws_ok(
  $$ insert into app.articles (author_id, title) values (tests.id('maya'), 'Trams') $$, '42501', null, 'a guest writes none'
);

select * from finish();
