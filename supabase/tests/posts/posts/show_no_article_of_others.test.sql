select plan(2);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.article('draft', 'maya');
select tests.act_as('jonas');
select throws_ok(
  $$ insert into app.posts (author_id, article_id, visibility) values (tests.id('jonas'), tests.id('draft'), 'public') $$,
  '23503', 'insert or update on table "posts" violates foreign key constraint "posts_article_is_own"',
  'nobody posts the article of somebody else'
);
select is_empty('select from app.articles', 'a post makes nobody else''s article readable');

select * from finish();
