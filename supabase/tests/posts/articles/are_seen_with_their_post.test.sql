select plan(4);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.article('shown', 'maya');
select tests.article('locked', 'maya');
select tests.article('draft', 'maya');
insert into app.posts (author_id, article_id, visibility)
values
  (tests.id('maya'), tests.id('shown'), 'public'),
  (tests.id('maya'), tests.id('locked'), 'private_locked_hub');

select tests.act_as_guest();
select set_eq('select title from app.articles', array['shown'], 'a guest sees the articles of public posts');
select tests.act_as('jonas');
select set_eq('select title from app.articles', array['shown'], 'and so does a member');
select tests.act_as('maya');
select set_eq('select title from app.articles', array['shown', 'locked', 'draft'], 'an author sees all of their own');
delete from app.posts;
select tests.act_as_guest();
select is_empty('select from app.articles', 'an article is gone with its posts');

select * from finish();
