select plan(4);

select tests.person('maya', 3);
select tests.post('hers', 'maya');
select tests.person('lena', 2);
select tests.article('shown', 'lena');
select tests.article('draft', 'lena');
insert into app.posts (id, author_id, article_id, visibility) values (tests.id('about it'), tests.id('lena'), tests.id('shown'), 'public');
select tests.person('jonas', 3);
select tests.post('his', 'jonas');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select set_eq(
  $$ select id from app.posts where author_id = tests.id('maya') $$, array[tests.id('hers'), tests.id('about it')], 'posts move'
);
select set_eq(
  $$ select id from app.articles where author_id = tests.id('maya') $$, array[tests.id('shown'), tests.id('draft')], 'articles move with them'
);
select is(article_id, tests.id('shown'), 'and stay with their posts') from app.posts where id = tests.id('about it');
select is(author_id, tests.id('jonas'), 'those of others do not') from app.posts where id = tests.id('his');

select * from finish();
