select plan(4);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.person('guest', 1);
select tests.post('trams', 'maya');
select tests.post('bikes', 'jonas');
insert into app.default_feed_users (user_id) values (tests.id('maya'));

select tests.act_as_guest();
select results_eq('select * from app.home_feed_sources()', $$ values (tests.id('maya'), 'default_feed_user') $$, 'a guest gets the default feed users');
select tests.act_as('guest');
select results_eq('select * from app.home_feed_sources()', $$ values (tests.id('maya'), 'default_feed_user') $$, 'and so does who never posted');
select tests.act_as('jonas');
select results_eq('select * from app.home_feed_sources()', $$ values (tests.id('jonas'), 'own_post') $$, 'an author gets their own posts');
select tests.act_as('maya');
select results_eq('select * from app.home_feed_sources()', $$ values (tests.id('maya'), 'own_post') $$, 'for which they are no default');

select * from finish();
