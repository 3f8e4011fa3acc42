select plan(7);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.article('shown', 'maya');
insert into app.posts (author_id, article_id, visibility) values (tests.id('maya'), tests.id('shown'), 'public');
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'left');
select tests.slider('bikes', 'jonas');
select app.end_user(tests.id('maya'));

select tests.act_as_guest();
select results_eq('select id from app.posts', array[tests.id('bikes')], 'a guest sees no post of an ended account');
select is_empty('select from app.articles', 'nor its articles');
select tests.act_as('jonas');
select results_eq('select id from app.posts', array[tests.id('bikes')], 'nor does a member');
select throws_ok($$ select api.get_post(tests.arguments('trams')) $$, 'PT404', 'POST_NOT_FOUND', 'it is not found');
select throws_ok($$ select app.require_slider(tests.id('trams')) $$, 'PT404', 'POST_NOT_FOUND', 'and takes no vote');
select is_empty($$ select from app.post_cards(array[tests.id('trams')]) $$, 'no list shows it');
-- A request of theirs may be under way still, and answers what it has made.
select tests.act_as('maya');
select isnt_empty($$ select from app.posts where author_id = tests.id('maya') $$, 'its author alone does');

select * from finish();
