select plan(3);

select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
create temporary table before as select id, xmax as held from app.posts;
-- It runs in a transaction of its own within that of the test, so that its lock can be told.
select lives_ok($$ select app.settle_pending(tests.id('trams'), array[tests.key()]) $$, 'it settles');
select results_eq('select id from app.posts join before using (id) where posts.xmax <> before.held', tests.ids('trams'), 'whoever shares the post waits');
select is((select xmax from app.posts where slider_text = 'bikes'), (select held from before where id = tests.id('bikes')), 'for no other');

select * from finish();
