select plan(7);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.slider('hers', 'maya');
select tests.slider('his', 'jonas');
select tests.article('her article', 'maya');
insert into app.posts (author_id, article_id, visibility) values (tests.id('maya'), tests.id('her article'), 'public_hub');
select tests.block('maya', 'jonas');

select tests.act_as('jonas');
select set_eq('select id from app.posts', array[tests.id('his')], 'whoever is blocked sees none of who has blocked them');
select is_empty('select from app.articles', 'nor what they are about');
select is(
  tests.error_of($$ select app.require_slider(tests.id('hers')) $$) ->> 'code', 'POST_NOT_FOUND', 'and cannot vote on them'
);
select tests.act_as('maya');
select is_empty($$ select from app.posts where author_id = tests.id('jonas') $$, 'who has blocked sees none of theirs');
select is(count(*)::integer, 2, 'but all of their own') from app.posts;
select tests.act_as('lena');
select is(count(*)::integer, 3, 'others see both') from app.posts;
select tests.act_as_guest();
select is(count(*)::integer, 3, 'as do guests') from app.posts;

select * from finish();
