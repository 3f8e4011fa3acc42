select plan(4);

select tests.person('maya');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
select tests.feed_share('maya', 'trams', app.now() - interval '1 hour');
select tests.feed_share('maya', 'bikes', app.now() + interval '1 hour');
update app.feed_shares set user_id = user_id;
select is(shared_at, app.now() - interval '1 hour', 'as long as it is the same it is as old') from app.feed_shares where post_id = tests.id('trams');
update app.feed_shares set id = tests.id('other');
select is(shared_at, app.now(), 'another one is of now') from app.feed_shares where post_id = tests.id('trams');
select is(shared_at, app.now() + interval '1 hour', 'or later, where somebody was quicker') from app.feed_shares where post_id = tests.id('bikes');
select is(id, tests.id('other'), 'whatever it is called') from app.feed_shares where post_id = tests.id('bikes');

select * from finish();
