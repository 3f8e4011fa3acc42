select plan(5);

select tests.person('maya', 3);
select tests.article('about trams', 'maya');
insert into app.posts (id, author_id, article_id, slider_text, left_label, right_label, visibility)
values (tests.id('trams'), tests.id('maya'), tests.id('about trams'), 'More trams?', 'No', 'Yes', 'public');
select tests.vote('maya', 'trams', 'right');

select tests.act_as('maya');
select is(api.delete_post(tests.arguments('trams')), '{}', 'an author deletes their post');
reset role;
select is_empty('select from app.posts', 'the post is gone');
select is_empty('select from app.articles', 'with its article');
select is_empty('select from app.vote_receipts', 'its receipts');
select is_empty('select from app.vote_pools', 'and its pools');

select * from finish();
