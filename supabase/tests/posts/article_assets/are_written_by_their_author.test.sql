select plan(6);

select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.asset('picture', 'maya');
select tests.article('hers', 'maya');

select tests.act_as('maya');
select lives_ok($$ select tests.illustrate('hers', 'picture') $$, 'an author gives an article its media');
select throws_ok('update app.article_assets set place = 2', '42501', null, 'which stay as they are');
select throws_ok('delete from app.article_assets', '42501', null, 'as long as there is the article');
reset role;
delete from app.article_assets;
select tests.asset(name, 'jonas') from unnest(array['his', 'his too']) as name;
select tests.illustrated_post('seen', 'maya', 'his');
select tests.article('own', 'jonas');
select tests.act_as('jonas');
select throws_ok($$ select tests.illustrate('article of seen', 'his too') $$, '42501', null, 'nobody gives any to another''s, even where they see it');
select tests.act_as_guest();
select throws_ok($$ select tests.illustrate('hers', 'picture') $$, '42501', null, 'a guest gives none');
select throws_ok('delete from app.article_assets', '42501', null, 'and takes none');

select * from finish();
